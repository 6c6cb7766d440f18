package dev.penstock.gateway.admin;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.observe.WatchedFlow;
import dev.penstock.observe.WatchedProcess;
import dev.penstock.observe.page.PageJson;
import dev.penstock.text.Json;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes the changes of authorised callers: {@code POST} of {@code /settings/FLOW/NAME} pins a setting, and of {@code /loggers/NAME} sets
 * the level of a logger. {@code DELETE} takes it back.
 *
 * <p>{@code POST} of {@code /reload} reads the flow file again.
 *
 * @param levels of loggers; null if they cannot be changed
 */
record ChangeHandler(
        WatchedProcess gateway,
        ReloadableFile file,
        SettingChanges changes,
        @Nullable LogLevels levels) {
    private static final String SETTINGS = "/settings/";
    private static final String LOGGERS = "/loggers/";
    private static final String RELOAD = "/reload";
    private static final Pattern LOGGER = Pattern.compile("[A-Za-z0-9_.$-]{1,200}");
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

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

    /** Whether requests for a path change something. */
    static boolean isFor(String path) {
        return path.startsWith(SETTINGS) || path.startsWith(LOGGERS) || path.equals(RELOAD);
    }

    /** @param by who asks, for the log */
    HttpAnswer handle(HttpCall request, String path, String by) {
        if (path.equals(RELOAD)) {
            return reload(request, by);
        }
        try {
            if (!"POST".equals(request.method()) && !"DELETE".equals(request.method())) {
                throw new Refused(405, "POST changes it, DELETE takes that back; GET /settings and /loggers show all");
            }
            Object now = path.startsWith(LOGGERS)
                    ? logger(request, path.substring(LOGGERS.length()), by)
                    : setting(request, path.substring(SETTINGS.length()).split("/", -1), by);
            return HttpAnswer.of(200, Json.write(now)).withHeader("Content-Type", "application/json");
        } catch (Refused refused) {
            return AdminAccess.problem(refused.status, refused.detail);
        } catch (IllegalArgumentException wrong) {
            return AdminAccess.problem(400, String.valueOf(wrong.getMessage()));
        } catch (IOException unwritable) {
            return AdminAccess.problem(500, String.valueOf(unwritable.getMessage()));
        }
    }

    private HttpAnswer reload(HttpCall request, String by) {
        if (!"POST".equals(request.method())) {
            return AdminAccess.problem(
                    405, "POST reads the flow file again; GET /flows shows the generation that runs");
        }
        try {
            return HttpAnswer.of(200, Json.write(file.reload(by))).withHeader("Content-Type", "application/json");
        } catch (BadConfig wrong) {
            return refused(422, wrong.getMessage());
        } catch (IOException cannot) {
            return refused(409, cannot.getMessage());
        }
    }

    private HttpAnswer refused(int status, @Nullable String why) {
        return AdminAccess.problem(
                status, why + "\ngeneration " + file.running().get("generation") + " goes on");
    }

    private Object setting(HttpCall request, String[] names, String by) throws Refused, IOException {
        WatchedFlow flow = flow(names[0]);
        if (flow == null || names.length != 2) {
            throw new Refused(404, "no such flow: use /settings/FLOW/NAME with a flow listed in /settings");
        }
        return PageJson.values(changes.change(flow, names[1], value(request), by));
    }

    private Object logger(HttpCall request, String name, String by) throws Refused, IOException {
        if (levels == null || !LOGGER.matcher(name).matches()) {
            throw new Refused(
                    404, "no such logger: use /loggers/NAME, for instance /loggers/dev.penstock or /loggers/ROOT");
        }
        return Map.of("loggers", Map.of(name, changes.change(levels, name, value(request), by)));
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

    /** The value in a POST; null for DELETE. Requires a JSON content type, which a form of another site cannot send. */
    private static @Nullable String value(HttpCall request) throws Refused {
        if ("DELETE".equals(request.method())) {
            return null;
        }
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
