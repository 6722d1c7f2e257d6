// Search in pages that are opened as files, where browsers start no workers: the worker's script runs in a frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(script) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      // What the script posts arrives here; what is posted to it before it runs, waits.
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.ready = new Promise((run, fail) => {
        const element = this.inside.document.createElement("script");
        Object.assign(element, { src: script, onload: run, onerror: fail });
        this.inside.document.body.append(element);
      });
    }

    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.inside.frameElement.remove();
    }
  };
}

// All parts of a name of C++ are wanted: who asks for std::string means no other member of std, and the T of unique_ptr<T>
// is no word. (2: the theme's queries.)
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  if (message?.type === 2) {
    const whole = (name) => name.split(/\W+/).filter((part) => part.length > 1).map((part) => `+${part}`).join(" ");
    message = { ...message, data: message.data.replace(/\w*(?:::|<)[\w:<>,*&]*/g, whole) };
  }
  return post.call(this, message, ...rest);
};
