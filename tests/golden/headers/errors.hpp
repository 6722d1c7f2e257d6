// Declarations that a parse error touches are skipped, and so is each that uses them. judge: no
int before(int x);
void unknown_parameter(Unknown x, int y);
Unknown unknown_result(int x);
typedef Unknown alias_of_unknown;
void through_alias(alias_of_unknown x);
void through_pointer(const alias_of_unknown* x);
struct Broken {
  Unknown u;
  int x;
};
void by_broken(Broken b);
void by_broken_pointer(Broken* b);
struct HoldsBroken {
  Broken b;
};
struct HoldsAlias {
  alias_of_unknown a;
};
void by_holder(HoldsBroken h);
void by_alias_holder(HoldsAlias h);
struct Loop {
  Loop* next;
  alias_of_unknown a;
};
void by_loop(Loop* l);
int wrong_default(int x = undeclared);
missing::type qualified(int x);
template <class T>
struct Fine {
  T t;
};
void template_of_broken(Fine<Broken>* f);
enum E { A = nonsense, B };
constexpr int constant = nonsense + 1;
int bodies(int x) { return undeclared_in_body; }
int after(int x);
