package dev.penstock.http;

import io.helidon.common.context.Context;
import io.helidon.http.encoding.ContentDecoder;
import io.helidon.http.encoding.ContentEncoder;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.encoding.ContentEncodingContextConfig;
import io.helidon.http.media.MediaContext;
import io.helidon.webserver.ErrorHandling;
import io.helidon.webserver.ListenerConfig;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.Router;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.net.InetSocketAddress;
import java.util.NoSuchElementException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Sets Helidon up to serve connections: HTTP/1.1 and HTTP/1.0 alone, and nothing found on the class path. */
final class Servers {
    /** The first line of a request: method, path, query and version. */
    private static final int LONGEST_FIRST_LINE = 8 << 10;
    /** Connections that wait until the reaper has closed others. Further ones wait in the system's queue. */
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

    static Acceptor acceptor(
            InetSocketAddress address, SourceLimits limits, int maxBody, IdleConnectionReaper reaper, Handler handler) {
        Router router =
                Router.builder().addRouting(HttpRouting.builder().any(handler)).build();
        router.beforeStart();
        return new Acceptor(address, limits.maxConnections() + SPARE, reaper, context(maxBody), router);
    }

    private static ListenerContext context(int maxBody) {
        ListenerConfig config = ListenerConfig.builder()
                .protocolsDiscoverServices(false)
                .maxPayloadSize(maxBody)
                // The message tells a head that is too large from other faults; it is not passed on.
                .errorHandling(ErrorHandling.builder().includeEntity(true).build())
                .build();
        return new Settings(
                Context.create(),
                MediaContext.create(),
                new AsItIs(),
                BadRequests.all(),
                config,
                Executors.newVirtualThreadPerTaskExecutor());
    }

    /**
     * What Helidon reads when it serves a connection.
     *
     * @param context the parent of the context of each request
     * @param mediaContext unused: bodies are read and written as bytes
     * @param contentEncodingContext passes content as it is
     * @param directHandlers answer what Helidon rejects by itself
     * @param config sizes
     * @param executor unused: writes are not deferred
     */
    private record Settings(
            Context context,
            MediaContext mediaContext,
            ContentEncodingContext contentEncodingContext,
            DirectHandlers directHandlers,
            ListenerConfig config,
            ExecutorService executor)
            implements ListenerContext {}

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
