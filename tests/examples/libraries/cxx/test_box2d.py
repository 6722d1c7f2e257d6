"""Box2D: a box falls on the ground, and a listener of Python's is told when they touch."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

LISTENER = r"""
struct Listener : b2ContactListener {
  int begun = 0, solved = 0;
  void BeginContact(b2Contact*) override { ++begun; }
  void PreSolve(b2Contact*, const b2Manifold*) override { ++solved; }
} listener;
"""
PROGRAM = r"""
#include <box2d/box2d.h>
LISTENER
int main() {
  b2World world(b2Vec2(0, -10));
  SET
  b2BodyDef ground; ground.position.Set(0, -10);
  b2PolygonShape wide; wide.SetAsBox(50, 10);
  world.CreateBody(&ground)->CreateFixture(&wide, 0);
  b2BodyDef def; def.type = b2_dynamicBody; def.position.Set(0, 4);
  b2Body* body = world.CreateBody(&def);
  b2PolygonShape box; box.SetAsBox(1, 1);
  b2FixtureDef fixture; fixture.shape = &box; fixture.density = 1; fixture.friction = 0.3f;
  body->CreateFixture(&fixture);
  for (int i = 0; i < 60; ++i) {
    world.Step(1.0f / 60, 6, 2);
    if (i % 20 == 19) { tell(body->GetPosition().x); tell(body->GetPosition().y); tell(body->GetAngle()); }
  }
  for (b2Body* b = world.GetBodyList(); b; b = b->GetNext()) tell(b->GetType());
  tell(world.GetContactCount());
  TOLD
}
"""
PLAIN = PROGRAM.replace("LISTENER", "").replace("SET", "").replace("TOLD", "")
LISTENING = (
    PROGRAM.replace("LISTENER", LISTENER)
    .replace("SET", "world.SetContactListener(&listener);")
    .replace("TOLD", "tell(listener.begun); tell(listener.solved);")
)


@pytest.fixture(scope="module")
def b2(needs: Any) -> Any:
    needs("box2d/box2d.h", "libbox2d-dev", "box2d")
    return sb.bind("box2d/box2d.h", libraries=["box2d"], expose=["*/box2d/*"])


def fallen(b2: Any, world: Any) -> list[Any]:
    """What a box that falls on the ground shows."""
    ground = b2.b2BodyDef()
    ground.position.Set(0, -10)
    wide = b2.b2PolygonShape()
    wide.SetAsBox(50, 10)
    world.CreateBody(ground).CreateFixture(wide, 0)
    falling = b2.b2BodyDef()
    falling.type = b2.b2_dynamicBody
    falling.position.Set(0, 4)
    body = world.CreateBody(falling)
    box = b2.b2PolygonShape()
    box.SetAsBox(1, 1)
    fixture = b2.b2FixtureDef()
    fixture.shape, fixture.density, fixture.friction = box, 1, 0.3
    body.CreateFixture(fixture)
    values: list[Any] = []
    for i in range(60):
        world.Step(1 / 60, 6, 2)
        if i % 20 == 19:
            values += [body.GetPosition().x, body.GetPosition().y, body.GetAngle()]
    each = world.GetBodyList()
    while each is not None:
        values.append(each.GetType())
        each = each.GetNext()
    return [*values, world.GetContactCount()]


def test_a_box_falls(b2: Any, agree: Any) -> None:
    agree(fallen(b2, b2.b2World(b2.b2Vec2(0, -10))), PLAIN, "-lbox2d")


def test_a_listener_is_told(b2: Any, agree: Any) -> None:
    told = {"begun": 0, "solved": 0}

    class Listener(b2.b2ContactListener):  # type: ignore[misc,name-defined]
        def BeginContact(self, contact: Any) -> None:  # noqa: N802
            told["begun"] += isinstance(contact, b2.b2Contact) and contact.IsTouching()

        def PreSolve(self, contact: Any, old: Any) -> None:  # noqa: N802
            told["solved"] += contact.IsTouching() and isinstance(old, b2.b2Manifold)

    world, listener = b2.b2World(b2.b2Vec2(0, -10)), Listener()
    world.SetContactListener(listener)
    agree([*fallen(b2, world), told["begun"], told["solved"]], LISTENING, "-lbox2d")
    assert told["begun"] >= 1
