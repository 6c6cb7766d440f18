package dev.penstock.observe.page;

import dev.penstock.observe.TransactionLog;
import dev.penstock.observe.WatchedProcess;
import dev.penstock.observe.page.Dashboard.Page;
import dev.penstock.text.Durations;
import dev.penstock.text.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Answers {@code /transactions?q=...&flow=...&ending=...&since=10m}: notable transactions in memory, and what the stores have. */
final class TransactionSearch {
    private TransactionSearch() {}

    static Page find(WatchedProcess process, String path) {
        try {
            Map<String, String> asked = parameters(path);
            String since = asked.get("since");
            long from = since == null
                    ? 0
                    : System.currentTimeMillis() - Durations.parse(since).toMillis();
            String text = asked.get("q");
            TransactionLog log = process.records();
            List<String> records =
                    log == null ? List.of() : log.search(text, asked.get("flow"), asked.get("ending"), from);
            List<String> stored = text == null ? List.of() : process.stored(text, asked.get("flow"));
            // The records are JSON already.
            String json = "{\"on\":" + (log != null) + ",\"records\":[" + String.join(",", records) + "],\"stored\":"
                    + Json.write(stored) + "}";
            return new Page(200, "application/json", json);
        } catch (IllegalArgumentException wrong) {
            return new Page(
                    400,
                    "text/plain; charset=utf-8",
                    "write for instance /transactions?q=ID&flow=NAME&ending=unknown&since=10m\n");
        }
    }

    /** The query of a path, without empty values. */
    static Map<String, String> parameters(String path) {
        Map<String, String> all = new HashMap<>();
        int query = path.indexOf('?');
        for (String each : query < 0 ? new String[0] : path.substring(query + 1).split("&", -1)) {
            int equals = each.indexOf('=');
            String value = equals < 0 ? "" : URLDecoder.decode(each.substring(equals + 1), StandardCharsets.UTF_8);
            if (!value.isEmpty()) {
                all.put(each.substring(0, equals), value);
            }
        }
        return all;
    }
}
