package dev.penstock.races.httppool;

import dev.penstock.lab.load.PaymentXml.Payment;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;

/** Apache HttpClient 5, asynchronous: its own event loops, while the caller's virtual thread waits. */
final class Hc5Async implements Client {
    private static final ContentType XML = ContentType.create(TYPE);

    private final URI url;
    private final CloseableHttpAsyncClient http;

    Hc5Async(URI url) {
        this.url = url;
        this.http = HttpAsyncClients.custom()
                .setConnectionManager(PoolingAsyncClientConnectionManagerBuilder.create()
                        .setMaxConnTotal(OriginSettings.CONNECTIONS)
                        .setMaxConnPerRoute(OriginSettings.CONNECTIONS)
                        .setDefaultConnectionConfig(Hc5Classic.connections())
                        .build())
                .setDefaultRequestConfig(Hc5Classic.requests())
                .evictExpiredConnections()
                .evictIdleConnections(TimeValue.of(OriginSettings.IDLE))
                .build();
        http.start();
    }

    @Override
    public Reply call(Payment payment) throws Exception {
        SimpleHttpRequest post = SimpleRequestBuilder.post(url)
                .setHeader(KEY, payment.id())
                .setBody(payment.xml().getBytes(StandardCharsets.US_ASCII), XML)
                .build();
        try {
            SimpleHttpResponse answer = http.execute(post, null).get();
            return Reply.of(answer.getCode(), answer.getBodyBytes());
        } catch (ExecutionException e) {
            throw switch (e.getCause()) {
                case ConnectionRequestTimeoutException _ -> ExceptionEndings.pool(e);
                case ConnectTimeoutException _ -> ExceptionEndings.connect(e);
                case null, default -> ExceptionEndings.of(e);
            };
        } catch (Exception e) {
            throw ExceptionEndings.of(e);
        }
    }

    @Override
    public void close() {
        http.close(CloseMode.GRACEFUL);
    }
}
