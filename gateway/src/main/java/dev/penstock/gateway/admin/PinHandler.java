package dev.penstock.gateway.admin;

import dev.penstock.Setting;
import dev.penstock.gateway.admin.WatchedGateway.WatchedFlow;
import dev.penstock.http.source.PageServer;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Pins and unpins settings for authorised callers: {@code POST} and {@code DELETE} of {@code /settings/FLOW/NAME}. */
final class PinHandler {
    private static final List<HeaderName> PROXY_HEADERS = List.of(
            HeaderNames.VIA,
            HeaderNames.FORWARDED,
            HeaderNames.X_FORWARDED_FOR,
            HeaderNames.X_FORWARDED_HOST,
            HeaderNames.X_FORWARDED_PROTO,
            HeaderNames.create("X-Real-IP"));

    /** The path prefix, followed by the names of flow and setting. */
    static final String PATH = "/settings/";

    private static final Logger LOG = LoggerFactory.getLogger(PinHandler.class);
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final Header PROBLEM =
            HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "application/problem+json");
    private static final Header JSON = HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "application/json");
    private static final HeaderName SITE = HeaderNames.create("Sec-Fetch-Site");

    private final WatchedGateway gateway;
    private final PinAccess access;

    PinHandler(WatchedGateway gateway, PinAccess access) {
        this.gateway = gateway;
        this.access = access;
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

    void handle(ServerRequest request, ServerResponse response) {
        try {
            response.header(JSON).send(AdminJson.setting(handled(request)));
        } catch (Refused refused) {
            response.status(refused.status).header(PROBLEM);
            PageServer.send(request, response, AdminJson.problem(refused.status, refused.detail));
        }
    }

    private Setting handled(ServerRequest request) throws Refused {
        Method method = request.prologue().method();
        boolean pins = method.equals(Method.POST);
        if (!pins && !method.equals(Method.DELETE)) {
            throw new Refused(405, "POST pins a setting, DELETE unpins it; GET /settings shows all");
        }
        PinAccess.Caller caller = caller(request);
        String refusal = access.refusal(caller);
        if (refusal != null) {
            LOG.warn("{} {} from {} refused: {}", method, PATH, caller.name(), refusal);
            throw new Refused(403, refusal);
        }
        String[] names = request.path().rawPath().substring(PATH.length()).split("/", -1);
        WatchedFlow flow = flow(names[0]);
        if (flow == null || names.length != 2) {
            throw new Refused(404, "no such flow: use " + PATH + "FLOW/NAME with a flow listed in /settings");
        }
        String value = pins ? value(request) : null;
        try {
            return change(flow, names[1], value, caller.name());
        } catch (IllegalArgumentException wrong) {
            throw new Refused(400, String.valueOf(wrong.getMessage()));
        }
    }

    private Setting change(WatchedFlow flow, String name, @Nullable String value, String by) {
        String before = flow.snapshot().setting(name).map(Setting::value).orElse("");
        Setting now = value == null ? flow.unpin(name) : flow.pin(name, value, by);
        LOG.info(
                "flow {}: {} {} by {}, from {} to {}",
                flow.name(),
                now.name(),
                value == null ? "unpinned" : "pinned",
                by,
                before,
                now.value());
        return now;
    }

    private @Nullable WatchedFlow flow(String name) {
        return gateway.flows().stream()
                .filter(flow -> flow.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static PinAccess.Caller caller(ServerRequest request) {
        ServerRequestHeaders headers = request.headers();
        InetAddress peer = request.remotePeer().address() instanceof InetSocketAddress from ? from.getAddress() : null;
        boolean proxied = PROXY_HEADERS.stream().anyMatch(headers::contains);
        return new PinAccess.Caller(
                peer,
                first(headers, HeaderNames.HOST),
                first(headers, HeaderNames.ORIGIN),
                first(headers, SITE),
                first(headers, HeaderNames.AUTHORIZATION),
                proxied);
    }

    private static String first(ServerRequestHeaders headers, HeaderName name) {
        return headers.first(name).orElse("");
    }

    /** Requires a JSON content type, which a form of another site cannot send. */
    private static String value(ServerRequest request) throws Refused {
        String type = first(request.headers(), HeaderNames.CONTENT_TYPE).toLowerCase(Locale.ROOT);
        if (!type.equals("application/json") && !type.startsWith("application/json;")) {
            throw new Refused(415, "send Content-Type: application/json with {\"value\": \"100\"}");
        }
        try {
            byte[] body = request.content().hasEntity() ? request.content().as(byte[].class) : new byte[0];
            JsonNode value = MAPPER.readTree(body).path("value");
            if (value.isString() || value.isNumber()) {
                return value.asString();
            }
        } catch (JacksonException none) {
            // Reported below.
        }
        throw new Refused(400, "send the value as JSON, for instance {\"value\": \"100\"}");
    }
}
