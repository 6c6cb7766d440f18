package dev.penstock.http;

import io.helidon.http.encoding.ContentDecoder;
import io.helidon.http.encoding.ContentEncoder;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.encoding.ContentEncodingContextConfig;
import io.helidon.webserver.ErrorHandling;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.NoSuchElementException;

/** Sets the server underneath up: HTTP/1.1 and HTTP/1.0 alone, nothing found on the class path, no shutdown hook. */
final class Servers {
    /** The first line of a request: method, path, query and version. */
    private static final int LONGEST_FIRST_LINE = 8 << 10;
    /** Longer than any drain, which closing a source ends; what lies idle is cut by the guard. */
    private static final Duration FOR_EVER = Duration.ofDays(1);

    /** Connections that wait until the guard has closed others. Further ones wait in the system's queue. */
    private static final int SPARE = 32;

    private Servers() {}

    @SuppressWarnings("removal") // the switch for Host may be removed once Helidon serves HTTP/1.0, which needs none
    static ServerConnectionSelector selector(SourceLimits limits) {
        return Http1ConnectionSelector.builder()
                .config(Http1Config.builder()
                        .maxPrologueLength(LONGEST_FIRST_LINE)
                        .maxHeadersSize(limits.maxHeaders())
                        .sendKeepAliveHeader(false)
                        .validateRequestHostHeader(false)
                        .addReceiveListener(new RequestRules())
                        // Checked where they are made, see Header.
                        .validateResponseHeaders(false)
                        .build())
                .build();
    }

    static WebServer server(
            InetSocketAddress address, SourceLimits limits, int maxBody, Guard guard, FlowHandler handler) {
        return builder(address, limits.maxConnections() + SPARE, maxBody, guard, handler)
                .shutdownGracePeriod(FOR_EVER)
                .build();
    }

    static WebServerConfig.Builder builder(
            InetSocketAddress address, int maxConnections, int maxBody, Guard guard, Handler handler) {
        return WebServer.builder()
                .address(address.getAddress())
                .port(address.getPort())
                .shutdownHook(false)
                .featuresDiscoverServices(false)
                .protocolsDiscoverServices(false)
                .addConnectionSelector(guard)
                .maxTcpConnections(maxConnections)
                .maxPayloadSize(maxBody)
                .idleConnectionTimeout(FOR_EVER)
                .contentEncoding(new AsItIs())
                .directHandlers(BadRequests.all())
                // The message tells a head that is too large from other faults; it is not passed on.
                .errorHandling(ErrorHandling.builder().includeEntity(true).build())
                .routing(HttpRouting.builder().any(handler));
    }

    /** Passes content as it is. With the server's own context, a request with Content-Encoding would be refused. */
    private static final class AsItIs implements ContentEncodingContext {
        @Override
        public boolean contentEncodingEnabled() {
            return false;
        }

        @Override
        public boolean contentDecodingEnabled() {
            return true;
        }

        @Override
        public boolean contentEncodingSupported(String encoding) {
            return false;
        }

        @Override
        public boolean contentDecodingSupported(String encoding) {
            return true;
        }

        @Override
        public ContentEncoder encoder(String encoding) {
            throw new NoSuchElementException("nothing is encoded here");
        }

        @Override
        public ContentDecoder decoder(String encoding) {
            return ContentDecoder.NO_OP;
        }

        @Override
        public ContentEncoder encoder(io.helidon.http.Headers headers) {
            return ContentEncoder.NO_OP;
        }

        @Override
        public ContentEncodingContextConfig prototype() {
            return ContentEncodingContextConfig.create();
        }
    }
}
