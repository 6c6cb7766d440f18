package dev.penstock.races.httppool;

import dev.penstock.lab.load.PaymentXml.Payment;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/** Apache HttpClient 5, classic, on the caller's virtual thread; by default it validates connections idle for 2 s. */
final class Hc5Classic implements Client {
    private static final ContentType XML = ContentType.create(TYPE);

    private final URI url;
    private final CloseableHttpClient http;

    Hc5Classic(URI url) {
        this.url = url;
        this.http = HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setMaxConnTotal(OriginSettings.CONNECTIONS)
                        .setMaxConnPerRoute(OriginSettings.CONNECTIONS)
                        .setDefaultConnectionConfig(connections())
                        .build())
                .setDefaultRequestConfig(requests())
                .evictExpiredConnections()
                .evictIdleConnections(TimeValue.of(OriginSettings.IDLE))
                .build();
    }

    static ConnectionConfig connections() {
        return ConnectionConfig.custom()
                .setConnectTimeout(Timeout.of(OriginSettings.CONNECT))
                .setSocketTimeout(Timeout.of(OriginSettings.READ))
                .build();
    }

    static RequestConfig requests() {
        return RequestConfig.custom()
                .setConnectionRequestTimeout(Timeout.of(OriginSettings.POOL_WAIT))
                .setResponseTimeout(Timeout.of(OriginSettings.READ))
                .build();
    }

    @Override
    public Reply call(Payment payment) throws Exception {
        HttpPost post = new HttpPost(url);
        post.setHeader(KEY, payment.id());
        post.setEntity(new ByteArrayEntity(payment.xml().getBytes(StandardCharsets.US_ASCII), XML));
        try {
            return http.execute(
                    post, answer -> Reply.of(answer.getCode(), EntityUtils.toByteArray(answer.getEntity())));
        } catch (ConnectionRequestTimeoutException e) {
            throw ExceptionEndings.pool(e);
        } catch (ConnectTimeoutException e) {
            throw ExceptionEndings.connect(e);
        } catch (Exception e) {
            throw ExceptionEndings.of(e);
        }
    }

    @Override
    public void close() throws IOException {
        http.close();
    }
}
