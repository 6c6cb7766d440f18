package dev.penstock.spring;

import java.net.URI;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;

/**
 * Sends the requests of {@code RestClient}, {@code RestTemplate} and {@code @HttpExchange} through flows: through the flow of
 * {@code penstock.flows} whose {@code to.http.url} their URL begins with, otherwise through a flow of their host with Penstock's
 * defaults. A request without an answer throws a {@link NoAnswerException}; redirects are answers. Thread-safe.
 *
 * <p>Requests with the header {@code Idempotency-Key}, and those that only read, are sent again when no answer came.
 */
public final class PenstockClientHttpRequestFactory implements ClientHttpRequestFactory {
    private final PenstockFlows flows;
    private final HostFlows.Timeouts timeouts;

    /**
     * A factory with Penstock's own time limits.
     *
     * @param flows the flows of the application
     */
    public PenstockClientHttpRequestFactory(PenstockFlows flows) {
        this(flows, HostFlows.Timeouts.NONE);
    }

    /** @param timeouts of hosts without a flow in {@code penstock.flows} */
    PenstockClientHttpRequestFactory(PenstockFlows flows, HostFlows.Timeouts timeouts) {
        this.flows = flows;
        this.timeouts = timeouts;
    }

    @Override
    public ClientHttpRequest createRequest(URI url, HttpMethod method) {
        return new FlowRequest(flows.route(url, timeouts), url, method);
    }
}
