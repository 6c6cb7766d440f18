package dev.penstock.gateway.udp;

import dev.penstock.Failed;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Target;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers with the request body after find and replace. In a UDP flow without stages the reader thread does the
 * replacing itself, and this target is only shown. Thread-safe.
 */
record ReplaceTarget(Replacement replace, List<Setting> settings) implements Target<HttpCall, HttpAnswer> {
    private static final String TYPE = "Content-Type";
    private static final String BYTES = "application/octet-stream";

    static ReplaceTarget of(ReplaceTo to) {
        List<Replacement> steps = new ArrayList<>();
        List<Setting> settings = new ArrayList<>();
        for (ReplaceTo.Step step : to.steps()) {
            String find = step.find().value();
            String with = step.with().value();
            steps.add(step.regex().value() ? Replacement.regex(find, with) : Replacement.text(find, with));
            String number = to.steps().size() == 1 ? "" : "." + steps.size();
            settings.add(setting(
                    "replace.find" + number,
                    find,
                    step.regex().value() ? "a regular expression (RE2)" : "1 character or more",
                    "the text to find"));
            settings.add(setting("replace.with" + number, with, "text", "the replacement"));
        }
        return new ReplaceTarget(steps.size() == 1 ? steps.getFirst() : Replacement.all(steps), List.copyOf(settings));
    }

    private static Setting setting(String name, String value, String range, String reason) {
        return new Setting(name, "\"" + value + "\"", range, reason, Instant.now(), Origin.FILE);
    }

    @Override
    public HttpAnswer call(HttpCall call) throws Failed {
        String type = call.headers().first(TYPE);
        return HttpAnswer.of(200, Headers.none().with(TYPE, type == null ? BYTES : type), replaced(call.body()));
    }

    private byte[] replaced(byte[] body) throws Failed {
        try {
            return replace.in(body);
        } catch (IllegalArgumentException tooLarge) {
            throw new Failed(Failed.Cause.REFUSED, String.valueOf(tooLarge.getMessage()), tooLarge);
        }
    }

    @Override
    public String where() {
        return "replace";
    }

    @Override
    public void close() {}
}
