package dev.penstock.cli.probe;

import dev.penstock.http.http1.AnswerHead;
import dev.penstock.lab.probe.AnnouncedLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Limits that an HTTP server announces in its headers. Stateless. */
final class HttpServerLimits {
    private static final Pattern PAIR = Pattern.compile("(?i)\\b(timeout|max)\\s*=\\s*\"?(\\d{1,9})");
    private static final String LIMITS = "ratelimit";

    private HttpServerLimits() {}

    /** The limits in the head of an answer. */
    static List<AnnouncedLimit> of(AnswerHead head) {
        List<AnnouncedLimit> all = new ArrayList<>();
        all.add(new AnnouncedLimit(
                "version",
                "HTTP/1." + head.minorVersion(),
                head.minorVersion() == 0 ? "an old server" : "one call at a time per connection"));
        for (String field : head.headers().all("Keep-Alive")) {
            keepAlive(all, field);
        }
        if (!head.persists()) {
            all.add(new AnnouncedLimit(
                    "Connection",
                    "close",
                    "the server closes each connection after one answer, so pooling does not help"));
        }
        String server = head.headers().first("Server");
        if (server != null) {
            all.add(new AnnouncedLimit("Server", server, "the first server on the path, maybe a proxy"));
        }
        head.headers().forEach(field -> {
            String name = field.name().toLowerCase(Locale.ROOT);
            if (name.contains(LIMITS) || name.contains("rate-limit")) {
                all.add(new AnnouncedLimit(field.name(), field.value(), "the server rejects calls beyond this"));
            } else if (name.equals("retry-after")) {
                all.add(new AnnouncedLimit(
                        field.name(), field.value(), "the server asks clients to wait this many seconds"));
            }
        });
        return all;
    }

    private static void keepAlive(List<AnnouncedLimit> all, String field) {
        Matcher pair = PAIR.matcher(field);
        while (pair.find()) {
            boolean isTime = pair.group(1).equalsIgnoreCase("timeout");
            all.add(new AnnouncedLimit(
                    "Keep-Alive: " + pair.group(1).toLowerCase(Locale.ROOT),
                    isTime ? pair.group(2) + " s" : pair.group(2),
                    isTime
                            ? "the server closes a connection idle for longer"
                            : "the server closes a connection after this many answers"));
        }
    }
}
