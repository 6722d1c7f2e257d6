"""Bullet: a sphere falls on a plane, by the library's headers as a whole."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

PROGRAM = r"""
#include <btBulletDynamicsCommon.h>
int main() {
  btDefaultCollisionConfiguration configuration; btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase; btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(btVector3(0, -10, 0));
  btStaticPlaneShape plane(btVector3(0, 1, 0), 0); btSphereShape ball(1);
  btDefaultMotionState at(btTransform(btQuaternion(0, 0, 0, 1), btVector3(0, 5, 0))), ground;
  btRigidBody floor(btRigidBody::btRigidBodyConstructionInfo(0, &ground, &plane, btVector3(0, 0, 0)));
  btVector3 inertia(0, 0, 0); ball.calculateLocalInertia(1, inertia);
  btRigidBody body(btRigidBody::btRigidBodyConstructionInfo(1, &at, &ball, inertia));
  world.addRigidBody(&floor); world.addRigidBody(&body);
  for (int i = 0; i < 90; ++i) {
    world.stepSimulation(1.0f / 60, 10);
    if (i % 30 == 29) tell(body.getCenterOfMassPosition().y());
  }
  tell(world.getNumCollisionObjects());
}
"""
FLAGS = ["-I/usr/include/bullet", "-lBulletDynamics", "-lBulletCollision", "-lLinearMath"]


def test_a_ball_falls(needs: Any, agree: Any) -> None:
    needs("bullet/btBulletDynamicsCommon.h", "libbullet-dev", "BulletDynamics")
    bt = sb.bind(
        "bullet/btBulletDynamicsCommon.h", include_dirs=["/usr/include/bullet"],
        libraries=["BulletDynamics", "BulletCollision", "LinearMath"],
    )  # fmt: skip
    configuration = bt.btDefaultCollisionConfiguration()
    dispatcher = bt.btCollisionDispatcher(configuration)
    broadphase, solver = bt.btDbvtBroadphase(), bt.btSequentialImpulseConstraintSolver()
    world = bt.btDiscreteDynamicsWorld(dispatcher, broadphase, solver, configuration)
    world.setGravity(bt.btVector3(0, -10, 0))
    plane, ball = bt.btStaticPlaneShape(bt.btVector3(0, 1, 0), 0), bt.btSphereShape(1)
    start = bt.btTransform(bt.btQuaternion(0, 0, 0, 1), bt.btVector3(0, 5, 0))
    at, ground = bt.btDefaultMotionState(start), bt.btDefaultMotionState()
    make = bt.btRigidBody.btRigidBodyConstructionInfo
    floor = bt.btRigidBody(make(0, ground, plane, bt.btVector3(0, 0, 0)))
    inertia = bt.btVector3(0, 0, 0)
    ball.calculateLocalInertia(1, inertia)
    body = bt.btRigidBody(make(1, at, ball, inertia))
    world.addRigidBody(floor)
    world.addRigidBody(body)
    values: list[Any] = []
    for i in range(90):
        world.stepSimulation(1 / 60, 10)
        if i % 30 == 29:
            values.append(body.getCenterOfMassPosition().y())
    agree([*values, world.getNumCollisionObjects()], PROGRAM, *FLAGS)
    world.removeRigidBody(body)
    world.removeRigidBody(floor)
