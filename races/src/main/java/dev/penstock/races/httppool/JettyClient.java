package dev.penstock.races.httppool;

import dev.penstock.lab.load.PaymentXml.Payment;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.HttpClient;

/** Jetty's client: its own selectors watch idle connections, while the caller's virtual thread waits. */
final class JettyClient implements Client {
    private final URI url;
    private final HttpClient http = new HttpClient();

    JettyClient(URI url) throws Exception {
        this.url = url;
        http.setMaxConnectionsPerDestination(OriginSettings.CONNECTIONS);
        http.setConnectTimeout(OriginSettings.CONNECT.toMillis());
        http.setIdleTimeout(OriginSettings.IDLE.toMillis());
        http.start();
    }

    @Override
    public Reply call(Payment payment) throws Exception {
        try {
            ContentResponse answer = http.POST(url)
                    .headers(headers -> headers.put(KEY, payment.id()))
                    .body(new BytesRequestContent(TYPE, payment.xml().getBytes(StandardCharsets.US_ASCII)))
                    .timeout(OriginSettings.READ.toMillis(), TimeUnit.MILLISECONDS)
                    .send();
            return Reply.of(answer.getStatus(), answer.getContent());
        } catch (ExecutionException e) {
            // The only socket timeout configured is the one for connecting.
            throw e.getCause() instanceof SocketTimeoutException ? ExceptionEndings.connect(e) : ExceptionEndings.of(e);
        } catch (Exception e) {
            throw ExceptionEndings.of(e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            http.stop();
        } catch (Exception e) {
            throw new IOException("Jetty's client did not stop", e);
        }
    }
}
