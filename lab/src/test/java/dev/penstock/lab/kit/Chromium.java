package dev.penstock.lab.kit;

import dev.penstock.kit.program.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A headless Chromium of its own, driven through the DevTools protocol on a loopback socket. Whatever it is asked, it gets a
 * time limit; closing it ends its process.
 */
public final class Chromium implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String LISTENING = "DevTools listening on ";
    private static final Map<String, Integer> KEYS = Map.of("Tab", 9, "Enter", 13, "Escape", 27);
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger lastId = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final List<Tab> tabs = new CopyOnWriteArrayList<>();
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();
    private final Map<String, CompletableFuture<JsonNode>> awaited = new ConcurrentHashMap<>();

    private Chromium(Process process, URI address) throws Exception {
        this.process = process;
        this.socket = client.newWebSocketBuilder()
                .buildAsync(address, new Receiver())
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Starts one that keeps its files in this folder. Its test has {@code @NeedsProgram("chromium")}. */
    public static Chromium start(Path profile) throws Exception {
        Process process = new ProcessBuilder(
                        Programs.path("chromium"),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return new Chromium(process, address(process).get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        } catch (Exception e) {
            end(process);
            throw e;
        }
    }

    /** Opens an empty tab. */
    public Tab tab() throws Exception {
        JsonNode target = ask(null, "Target.createTarget", Map.of("url", "about:blank"));
        JsonNode attached = ask(
                null,
                "Target.attachToTarget",
                Map.of("targetId", target.get("targetId").stringValue(), "flatten", true));
        Tab tab = new Tab(
                attached.get("sessionId").stringValue(), target.get("targetId").stringValue());
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            tab.ask(domain + ".enable", Map.of());
        }
        tabs.add(tab);
        return tab;
    }

    /** Closes all tabs that are open: each costs the browser work and memory. */
    public void closeTabs() throws Exception {
        for (Tab tab : List.copyOf(tabs)) {
            tab.close();
        }
    }

    @Override
    public void close() {
        try {
            // Asked to, it takes away what it left in the folder for temporary files.
            ask(null, "Browser.close", Map.of());
            process.waitFor(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            // It is ended below all the same.
        }
        socket.abort();
        end(process);
        client.shutdownNow();
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The address that it says on its standard error, which is read on so that it never fills up. */
    private static CompletableFuture<URI> address(Process process) {
        CompletableFuture<URI> address = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            StringBuilder said = new StringBuilder();
            try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    said.append(line).append('\n');
                    if (line.startsWith(LISTENING)) {
                        address.complete(URI.create(line.substring(LISTENING.length())));
                    }
                }
            } catch (IOException e) {
                said.append(e);
            }
            address.completeExceptionally(new IOException("chromium ended before it listened:\n" + said));
        });
        return address;
    }

    private JsonNode ask(@Nullable String session, String method, Map<String, ?> parameters) throws Exception {
        int id = lastId.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        asked.put(id, answer);
        Map<String, Object> question = session == null
                ? Map.of("id", id, "method", method, "params", parameters)
                : Map.of("id", id, "method", method, "params", parameters, "sessionId", session);
        synchronized (socket) {
            socket.sendText(JSON.writeValueAsString(question), true).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        JsonNode given = within(answer, method);
        if (given.has("error")) {
            throw new IOException(method + ": " + given.get("error"));
        }
        return given.get("result");
    }

    private static JsonNode within(CompletableFuture<JsonNode> answer, String what)
            throws InterruptedException, ExecutionException {
        try {
            return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new ExecutionException(what + " took more than " + PATIENCE, e);
        }
    }

    private CompletableFuture<JsonNode> next(String session, String event) {
        return awaited.computeIfAbsent(session + event, key -> new CompletableFuture<>());
    }

    private void received(JsonNode message) {
        if (message.has("id")) {
            CompletableFuture<JsonNode> answer = asked.remove(message.get("id").intValue());
            if (answer != null) {
                answer.complete(message);
            }
        } else if (message.has("sessionId")) {
            events.add(message);
            CompletableFuture<JsonNode> waiting =
                    awaited.remove(message.get("sessionId").stringValue()
                            + message.get("method").stringValue());
            if (waiting != null) {
                waiting.complete(message);
            }
        }
    }

    /** Puts the parts of a message together. */
    private final class Receiver implements WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            message.append(data);
            if (last) {
                received(JSON.readTree(message.toString()));
                message.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    /** One page in the browser. */
    public final class Tab implements AutoCloseable {
        private final String session;
        private final String target;

        private Tab(String session, String target) {
            this.session = session;
            this.target = target;
        }

        @Override
        public void close() throws Exception {
            tabs.remove(this);
            Chromium.this.ask(null, "Target.closeTarget", Map.of("targetId", target));
        }

        /** As wide and high as this, in CSS pixels. */
        public Tab sized(int width, int height) throws Exception {
            ask(
                    "Emulation.setDeviceMetricsOverride",
                    Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
            return this;
        }

        public Tab dark() throws Exception {
            return media("", "dark");
        }

        /** As on paper. */
        public Tab printed() throws Exception {
            return media("print", "light");
        }

        public Tab withoutScripts() throws Exception {
            ask("Emulation.setScriptExecutionDisabled", Map.of("value", true));
            return this;
        }

        /** Loads a page, until its load event. */
        public Tab load(Path page) throws Exception {
            return load(page.toUri());
        }

        /** Loads a page, until its load event. */
        public Tab load(URI page) throws Exception {
            CompletableFuture<JsonNode> loaded = next(session, "Page.loadEventFired");
            ask("Page.navigate", Map.of("url", page.toString()));
            within(loaded, "loading " + page);
            return this;
        }

        /** The value of an expression; one that is a promise is waited for. */
        public JsonNode value(String expression) throws Exception {
            JsonNode given = ask(
                    "Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
            if (given.has("exceptionDetails")) {
                throw new IOException(expression + ": " + given.get("exceptionDetails"));
            }
            return given.get("result").get("value");
        }

        /** A PNG of a part of the page, in CSS pixels from its top left corner. */
        public byte[] picture(double x, double y, double width, double height) throws Exception {
            JsonNode given = ask(
                    "Page.captureScreenshot",
                    Map.of(
                            "format",
                            "png",
                            "captureBeyondViewport",
                            true,
                            "clip",
                            Map.of("x", x, "y", y, "width", width, "height", height, "scale", 1)));
            return Base64.getDecoder().decode(given.get("data").stringValue());
        }

        /** Presses and releases a key, by its name in {@code KeyboardEvent.key}: Tab, Enter, Escape... */
        public void key(String name) throws Exception {
            int code = KEYS.getOrDefault(name, 0);
            String text = name.equals("Enter") ? "\r" : "";
            Map<String, Object> key = Map.of(
                    "key",
                    name,
                    "code",
                    name,
                    "windowsVirtualKeyCode",
                    code,
                    "nativeVirtualKeyCode",
                    code,
                    "text",
                    text);
            Map<String, Object> event = new HashMap<>(key);
            event.put("type", text.isEmpty() ? "rawKeyDown" : "keyDown");
            ask("Input.dispatchKeyEvent", event);
            event.put("type", "keyUp");
            ask("Input.dispatchKeyEvent", event);
        }

        /** Types text where the focus is. */
        public void type(String text) throws Exception {
            ask("Input.insertText", Map.of("text", text));
        }

        /** Moves the mouse there, in CSS pixels of what is seen. */
        public void mouse(double x, double y) throws Exception {
            mouse("mouseMoved", x, y, 0);
        }

        /** Drags from one place to another. */
        public void drag(double fromX, double toX, double y) throws Exception {
            mouse(fromX, y);
            mouse("mousePressed", fromX, y, 1);
            mouse("mouseMoved", (fromX + toX) / 2, y, 1);
            mouse("mouseMoved", toX, y, 1);
            mouse("mouseReleased", toX, y, 1);
        }

        private void mouse(String type, double x, double y, int buttons) throws Exception {
            Map<String, Object> left = Map.of("button", buttons == 0 ? "none" : "left", "buttons", buttons);
            Map<String, Object> event = new HashMap<>(left);
            event.putAll(Map.of("type", type, "x", x, "y", y, "clickCount", type.equals("mouseMoved") ? 0 : 1));
            ask("Input.dispatchMouseEvent", event);
        }

        /** What was asked of the network, or of anything but this page itself. */
        public List<String> requests() {
            return told("Network.requestWillBeSent")
                    .map(event -> event.get("request").get("url").stringValue())
                    .toList();
        }

        /** Whatever the console shows, errors of scripts among it. */
        public List<String> console() {
            return Stream.of("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
                    .flatMap(this::told)
                    .map(JsonNode::toString)
                    .toList();
        }

        private Stream<JsonNode> told(String method) {
            return events.stream()
                    .filter(event -> event.get("sessionId").stringValue().equals(session))
                    .filter(event -> event.get("method").stringValue().equals(method))
                    .map(event -> event.get("params"));
        }

        private Tab media(String medium, String scheme) throws Exception {
            ask(
                    "Emulation.setEmulatedMedia",
                    Map.of(
                            "media",
                            medium,
                            "features",
                            List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
            return this;
        }

        private JsonNode ask(String method, Map<String, ?> parameters) throws Exception {
            return Chromium.this.ask(session, method, parameters);
        }
    }
}
