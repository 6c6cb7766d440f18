package dev.penstock.http.balance;

import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A target without connections, which does what a service does and keeps the calls. */
final class FakeTarget implements Target<HttpCall, HttpAnswer> {
    static final HttpAnswer OK = HttpAnswer.of(200, "ok");

    private final String name;
    private volatile Service<HttpCall, HttpAnswer> service = call -> OK;
    private final List<HttpCall> calls = new ArrayList<>();
    private volatile boolean closed;

    FakeTarget(String name) {
        this.name = name;
    }

    FakeTarget does(Service<HttpCall, HttpAnswer> next) {
        service = next;
        return this;
    }

    @Override
    public HttpAnswer call(HttpCall call) throws Exception {
        synchronized (calls) {
            calls.add(call);
        }
        return service.call(call);
    }

    int calls() {
        synchronized (calls) {
            return calls.size();
        }
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public String where() {
        return "http://" + name + ".example/";
    }

    @Override
    public List<Setting> settings() {
        return List.of(new Setting("pool.max", "5", "1..10", "given", Instant.EPOCH, Setting.Origin.GIVEN));
    }

    @Override
    public Map<String, Long> connections() {
        return Map.of("opened", (long) calls());
    }

    @Override
    public void close() {
        closed = true;
    }
}
