// hiprtc's interface with a real compiler behind it: the source, and headers by their names, go to the command
// that $HIPRTC_OF_TESTS names, and what it writes for a device is the code.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace fs = std::filesystem;

struct Program {
  fs::path folder;
  std::string name, log, code;
};

static std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream all;
  all << file.rdbuf();
  return all.str();
}
static void write(const fs::path& path, const char* text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

extern "C" {
int hiprtcCreateProgram(Program** made, const char* source, const char* name, int count, const char* const* headers,
                        const char* const* names) {
  char folder[] = "/tmp/hiprtc-XXXXXX";
  if (!made || !source || !name || count < 0 || !mkdtemp(folder)) return 3;
  *made = new Program{folder, name, "", ""};
  write((*made)->folder / name, source);
  for (int i = 0; i < count; ++i) write((*made)->folder / "named" / names[i], headers[i]);
  return 0;
}
int hiprtcCompileProgram(Program* p, int count, const char* const* options) {
  const char* command = std::getenv("HIPRTC_OF_TESTS");
  if (!command) return 11;
  std::string line = "cd " + p->folder.string() + " && " + command + " -Inamed";
  for (int i = 0; i < count; ++i) {
    line += " '";
    line += options[i];
    line += "'";
  }
  const bool failed = std::system((line + " " + p->name + " -o code >log 2>&1 </dev/null").c_str()) != 0;
  p->log = content(p->folder / "log"), p->code = content(p->folder / "code");
  return failed ? 6 : 0;
}
int hiprtcGetProgramLogSize(Program* p, size_t* size) { return *size = p->log.size() + 1, 0; }
int hiprtcGetProgramLog(Program* p, char* to) { return std::memcpy(to, p->log.c_str(), p->log.size() + 1), 0; }
int hiprtcGetCodeSize(Program* p, size_t* size) { return *size = p->code.size(), 0; }
int hiprtcGetCode(Program* p, char* to) { return std::memcpy(to, p->code.data(), p->code.size()), 0; }
int hiprtcDestroyProgram(Program** p) { return fs::remove_all((*p)->folder), delete *p, *p = nullptr, 0; }
const char* hiprtcGetErrorString(int code) { return code == 11 ? "HIPRTC_ERROR_INTERNAL_ERROR" : "HIPRTC_ERROR"; }
}
