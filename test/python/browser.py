# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A page in headless Chromium, which is driven over a pipe: its protocol needs no module."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

NAMES = "chromium", "chromium-browser", "google-chrome"
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
         "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-component-update",
         "--remote-debugging-pipe"]
PATIENCE = 60  # seconds that an answer may take


def find_browser():
    """The program, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A browser with one page, to be used as a context."""

    def __init__(self, width=1400, height=900, dark=False):
        self.size = width, height
        self.dark = dark
        self.count = 0
        self.said = []  # events of the page

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        read_end, self.to = os.pipe()
        self.answers, write_end = os.pipe()
        command = [find_browser(), *FLAGS, f"--user-data-dir={self.folder.name}", "about:blank"]

        def give_pipes():
            high = [os.dup(end) for end in (read_end, write_end)]  # neither of them is 3 or 4 any more
            high = [end if end > 4 else os.dup(end) for end in high]
            for target, end in zip((3, 4), high):
                os.dup2(end, target)

        self.process = subprocess.Popen(command, preexec_fn=give_pipes, close_fds=False, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, env={**os.environ, "HOME": self.folder.name})
        os.close(read_end)
        os.close(write_end)
        self.rest = b""
        pages = [one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page"]
        attached = self.call("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in "Page", "Runtime", "Network", "Log":
            self.call(f"{domain}.enable")
        self.resize(*self.size)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}])
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.answers)
        for _ in range(50):  # its children may still write
            try:
                self.folder.cleanup()
                return
            except OSError:
                time.sleep(0.1)

    session = None

    def receive(self):
        """The next message."""
        while b"\0" not in self.rest:
            piece = os.read(self.answers, 1 << 20)
            if not piece:
                raise EOFError("the browser has ended")
            self.rest += piece
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        """Calls a method of the protocol, and returns its result."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            answer = self.receive()
            if answer.get("id") == self.count:
                assert "error" not in answer, answer
                return answer["result"]
            self.said.append(answer)
        raise TimeoutError(method)

    def resize(self, width, height):
        self.size = width, height
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def open(self, path):
        """Opens a file; returns the seconds until its script has run and all is laid out."""
        self.said.clear()
        begin = time.monotonic()
        self.call("Page.navigate", url=Path(path).resolve().as_uri())
        while self.evaluate("document.readyState") != "complete":
            time.sleep(0.01)
        self.evaluate("document.body.getBoundingClientRect().height")
        return time.monotonic() - begin

    def evaluate(self, expression):
        """The value of an expression in the page; promises are awaited."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def complaints(self):
        """Errors of scripts, what the page's policy has refused, and addresses other than files and data."""
        self.evaluate("0")
        events = [one for one in self.said if one.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded")]
        sent = [one["params"]["request"] for one in self.said if one.get("method") == "Network.requestWillBeSent"]
        urls = [one["url"] for one in sent if one["url"].split(":")[0] not in ("file", "data")]
        return [json.dumps(one["params"]) for one in events] + urls

    def mouse(self, kind, x, y, buttons=0, count=0):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if buttons or count else "none",
                  buttons=buttons, clickCount=count)

    def screenshot(self, path, whole=True):
        found = self.call("Page.captureScreenshot", captureBeyondViewport=whole,
                          **({"clip": self.box()} if whole else {}))
        Path(path).write_bytes(base64.b64decode(found["data"]))

    def box(self):
        height = self.evaluate("document.documentElement.scrollHeight")
        return {"x": 0, "y": 0, "width": self.size[0], "height": height, "scale": 1}
