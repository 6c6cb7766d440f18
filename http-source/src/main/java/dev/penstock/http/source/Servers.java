package dev.penstock.http.source;

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

/** Configures Helidon to serve HTTP/1.1 and HTTP/1.0 only, without features discovered on the class path. */
final class Servers {
    /** Maximum length of the request line: method, path, query and version. */
    private static final int MAX_REQUEST_LINE = 8 << 10;
    /** Connections accepted beyond the maximum, until the reaper has closed others. Further ones wait in the backlog. */
    private static final int SPARE = 32;

    private Servers() {}

    @SuppressWarnings("removal") // needed for HTTP/1.0, which has no Host header, until Helidon supports it
    static ServerConnectionSelector selector(HttpSource.Limits limits) {
        return Http1ConnectionSelector.builder()
                .config(Http1Config.builder()
                        .maxPrologueLength(MAX_REQUEST_LINE)
                        .maxHeadersSize(limits.maxHeaders())
                        .sendKeepAliveHeader(false)
                        .validateRequestHostHeader(false)
                        // Refuses targets that browsers send; HttpCall has the rules, and names the character.
                        .validatePath(false)
                        .validatePrologue(false)
                        .addReceiveListener(new RequestRules())
                        .addSendListener(new AnswerRules())
                        // Validated on creation, see Header.
                        .validateResponseHeaders(false)
                        .build())
                .build();
    }

    static Acceptor acceptor(
            InetSocketAddress address,
            HttpSource.Limits limits,
            int maxBody,
            IdleConnectionReaper reaper,
            Handler handler) {
        Router router =
                Router.builder().addRouting(HttpRouting.builder().any(handler)).build();
        router.beforeStart();
        return new Acceptor(address, limits.maxConnections() + SPARE, reaper, context(maxBody), router);
    }

    private static ListenerContext context(int maxBody) {
        ListenerConfig config = ListenerConfig.builder()
                .protocolsDiscoverServices(false)
                .maxPayloadSize(maxBody)
                // The message distinguishes a head that is too large from other errors; clients do not see it.
                .errorHandling(ErrorHandling.builder().includeEntity(true).build())
                .build();
        return new Settings(
                Context.create(),
                MediaContext.create(),
                new Unencoded(),
                BadRequests.all(),
                config,
                Executors.newVirtualThreadPerTaskExecutor());
    }

    /**
     * The configuration that Helidon uses for a connection.
     *
     * @param context the parent of each request's context
     * @param mediaContext unused: bodies are read and written as bytes
     * @param contentEncodingContext passes content unchanged
     * @param directHandlers answer requests that Helidon refuses
     * @param config size limits
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

    /** Passes content unchanged. Helidon's own context would refuse requests with a Content-Encoding. */
    private static final class Unencoded implements ContentEncodingContext {
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
            throw new NoSuchElementException("content encoding is not supported: " + encoding);
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
