package dev.penstock.gateway.admin;

import dev.penstock.Setting;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.observe.WatchedFlow;
import dev.penstock.observe.WatchedProcess;
import dev.penstock.observe.page.PageJson;
import dev.penstock.text.Json;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Pins and unpins settings for authorised callers: {@code POST} and {@code DELETE} of {@code /settings/FLOW/NAME}. */
final class PinHandler {
    /** The path prefix, followed by the names of flow and setting. */
    static final String PATH = "/settings/";

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private final WatchedProcess gateway;
    private final SettingChanges changes;

    PinHandler(WatchedProcess gateway, SettingChanges changes) {
        this.gateway = gateway;
        this.changes = changes;
    }

    /** A refused request with its status and reason. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
        private final int status;
        private final String detail;

        Refused(int status, String detail) {
            super(detail, null, false, false);
            this.status = status;
            this.detail = detail;
        }
    }

    /** @param by who asks, for the log */
    HttpAnswer handle(HttpCall request, String path, String by) {
        try {
            return HttpAnswer.of(200, Json.write(PageJson.values(handled(request, path, by))))
                    .withHeader("Content-Type", "application/json");
        } catch (Refused refused) {
            return AdminAccess.problem(refused.status, refused.detail);
        }
    }

    private Setting handled(HttpCall request, String path, String by) throws Refused {
        boolean pins = "POST".equals(request.method());
        if (!pins && !"DELETE".equals(request.method())) {
            throw new Refused(405, "POST pins a setting, DELETE unpins it; GET /settings shows all");
        }
        String[] names = path.substring(PATH.length()).split("/", -1);
        WatchedFlow flow = flow(names[0]);
        if (flow == null || names.length != 2) {
            throw new Refused(404, "no such flow: use " + PATH + "FLOW/NAME with a flow listed in /settings");
        }
        String value = pins ? value(request) : null;
        try {
            return changes.change(flow, names[1], value, by);
        } catch (IllegalArgumentException wrong) {
            throw new Refused(400, String.valueOf(wrong.getMessage()));
        } catch (IOException unwritable) {
            throw new Refused(500, String.valueOf(unwritable.getMessage()));
        }
    }

    private @Nullable WatchedFlow flow(String name) {
        return gateway.flows().stream()
                .filter(flow -> flow.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static String first(Headers headers, String name) {
        String value = headers.first(name);
        return value == null ? "" : value;
    }

    /** Requires a JSON content type, which a form of another site cannot send. */
    private static String value(HttpCall request) throws Refused {
        String type = first(request.headers(), "Content-Type").toLowerCase(Locale.ROOT);
        if (!type.equals("application/json") && !type.startsWith("application/json;")) {
            throw new Refused(415, "send Content-Type: application/json with {\"value\": \"100\"}");
        }
        try {
            JsonNode value = MAPPER.readTree(request.body()).path("value");
            if (value.isString() || value.isNumber()) {
                return value.asString();
            }
        } catch (JacksonException none) {
            // Reported below.
        }
        throw new Refused(400, "send the value as JSON, for instance {\"value\": \"100\"}");
    }
}
