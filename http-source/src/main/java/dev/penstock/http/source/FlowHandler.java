package dev.penstock.http.source;

import dev.penstock.Deadline;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.Router.Route;
import dev.penstock.meter.LastReasons;
import dev.penstock.meter.Meter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes each request to the flow of its path. Thread-safe. */
final class FlowHandler implements RequestReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(HttpSource.class);
    private static final String ALLOWED = "GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS";
    private static final Set<String> METHODS = Set.of(ALLOWED.split(", ", -1));
    private static final Pattern MILLIS = Pattern.compile("0*[1-9][0-9]{0,14}");
    private static final Header ANSWERED = new Header(ProblemDetails.ENDING_HEADER, "answered");
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final byte[] NOTHING = new byte[0];

    private final Router router;
    private final TrustedProxies proxies;
    private final int mostMemory;
    private final RandomGenerator random;
    private final Map<String, LastReasons> unexpectedErrors = new ConcurrentHashMap<>();

    /** The flows with a loop that was logged. */
    private final Set<String> loops = ConcurrentHashMap.newKeySet();

    /**
     * Creates a handler.
     *
     * @param routes longest path first
     * @param mostMemory how much memory one request can get
     */
    FlowHandler(List<Route> routes, TrustedProxies proxies, long mostMemory, RandomGenerator random) {
        this.router = new Router(routes);
        this.proxies = proxies;
        this.mostMemory = (int) Math.min(Integer.MAX_VALUE, mostMemory);
        this.random = random;
    }

    @Override
    public Accepted admit(ReceivedHead head, RequestGate.Peer peer) {
        checkMethod(head.method());
        Router.Match match = router.match(head.path());
        Route route = match.route();
        try {
            Headers received = head.headers();
            route.checkConnection(received);
            RequestGate.Peer sender = new RequestGate.Peer(
                    proxies.client(received, peer.address()), peer.isSecure(), peer.certificates());
            RequestGate.Admitted admitted = route.gate().admit(forwarded(head, route, peer), sender);
            route.checkKeys(admitted.headers());
            if (received.all("Via").stream().anyMatch(hops -> hops.contains(route.via()))) {
                throw BadInput.loop();
            }
            // The deadline starts before the body is read: a slow body uses up the client's own time.
            Deadline deadline = deadline(received);
            int maxBody = Math.min(route.maxBody(), mostMemory);
            HttpCall call = head.call(match.path(), admitted.headers(), NOTHING);
            return new Accepted(
                    maxBody,
                    route.flow(),
                    (body, memory, client) -> answer(call.received(body, memory), admitted, route.flow(), deadline));
        } catch (BadInput e) {
            throw e.forFlow(route.flow());
        }
    }

    private static void checkMethod(String method) {
        if ("TRACE".equals(method)) {
            throw BadInput.methodNotAllowed(
                    "TRACE is not supported, because it would reveal headers that proxies have added.", ALLOWED);
        }
        if (!METHODS.contains(method)) {
            throw new BadInput(501, "This method is not supported. Supported methods are " + ALLOWED + ".");
        }
    }

    private static @Nullable Deadline deadline(Headers headers) {
        List<String> given = headers.all(Header.DEADLINE);
        if (given.isEmpty()) {
            return null;
        }
        if (given.size() > 1 || !MILLIS.matcher(given.getFirst()).matches()) {
            throw new BadInput(400, Header.DEADLINE + " must be one whole number of milliseconds above 0.");
        }
        return Deadline.in(Duration.ofMillis(Long.parseLong(given.getFirst())));
    }

    /** The fields that concern the flow and its target. */
    private Headers forwarded(ReceivedHead head, Route route, RequestGate.Peer peer) {
        // Via tells the target that there is a gateway (RFC 9110 section 7.6.3).
        String via = head.protocol() + " " + route.via();
        Headers own = proxies.replacements(head.headers(), peer).and("Via", via);
        return head.headers().endToEnd(field -> isConsumed(field) || proxies.replaces(field, peer.address()), own);
    }

    private HttpAnswer answer(HttpCall call, RequestGate.Admitted admitted, String flow, @Nullable Deadline deadline)
            throws Exception {
        Service<HttpCall, HttpAnswer> service = admitted.service();
        try {
            HttpAnswer answer = deadline == null ? service.call(call) : deadline.call(() -> service.call(call));
            return answer.withHeader(ANSWERED);
        } catch (Unanswered ending) {
            return ProblemDetails.ofEnding(flow, admitted.id(), ending, random);
        }
    }

    private static boolean isConsumed(Header field) {
        return field.is("Content-Length") || field.is("Expect") || field.is(Header.DEADLINE);
    }

    @Override
    public HttpAnswer instead(@Nullable String flow, Throwable why) {
        String name = String.valueOf(flow);
        return switch (why) {
            case BadInput refusal -> refused(flow == null ? refusal : refusal.forFlow(flow));
            case Unanswered ending -> ProblemDetails.ofEnding(name, null, ending, random);
            default -> {
                log(name, why);
                yield ProblemDetails.ofError(name);
            }
        };
    }

    private HttpAnswer refused(BadInput refusal) {
        if (refusal.isLoop() && loops.add(String.valueOf(refusal.flow()))) {
            LOG.warn(
                    "{}: a request came back to this flow and was answered 508: its target leads back to it; correct the"
                            + " URL of the target (logged once)",
                    refusal.flow());
        }
        HttpAnswer answer = refusal.answer();
        return refusal.isTemporary()
                ? answer.withHeader("Retry-After", Long.toString(ProblemDetails.retryAfter(RETRY, random)))
                : answer;
    }

    /** Logs an exception of a service that is not a flow, or of code around a flow. Flows throw only endings, and log them. */
    private void log(String flow, Throwable e) {
        Unknown ending = new Unknown(
                Unknown.Cause.ERROR, "the service of this path threw an exception that is not an ending", e);
        String line = unexpectedErrors
                .computeIfAbsent(flow, name -> new LastReasons(name, InstantSource.system()))
                .ended(ending, Ticker.SYSTEM.nanos());
        if (line != null) {
            Meter.warn(LOG, line);
        }
    }
}
