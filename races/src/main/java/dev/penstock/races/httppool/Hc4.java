package dev.penstock.races.httppool;

import dev.penstock.lab.load.PaymentXml.Payment;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpPost;
import org.apache.http.config.SocketConfig;
import org.apache.http.conn.ConnectTimeoutException;
import org.apache.http.conn.ConnectionPoolTimeoutException;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.impl.client.IdleConnectionEvictor;
import org.apache.http.impl.conn.PoolingHttpClientConnectionManager;
import org.apache.http.util.EntityUtils;

/**
 * Apache HttpClient 4.5 as the original service configured it, without its signing: the effect of its pool alone. It
 * validates a connection before use always (the stale check, up to 1 ms each), after an idle time, or never. Its
 * default retry repeats a POST only when it was not sent.
 */
final class Hc4 implements Client {
    private final URI url;
    private final PoolingHttpClientConnectionManager pool = new PoolingHttpClientConnectionManager();
    private final IdleConnectionEvictor evictor;
    private final CloseableHttpClient http;

    /**
     * A client.
     *
     * @param staleCheck whether to validate a connection before each use
     * @param validateAfter idle milliseconds after which a connection is validated before use; 0 for never
     */
    @SuppressWarnings("deprecation") // the original service used the stale check
    Hc4(URI url, boolean staleCheck, int validateAfter) {
        this.url = url;
        int read = (int) OriginSettings.READ.toMillis();
        pool.setMaxTotal(OriginSettings.CONNECTIONS);
        pool.setDefaultMaxPerRoute(OriginSettings.CONNECTIONS);
        pool.setValidateAfterInactivity(validateAfter);
        pool.setDefaultSocketConfig(SocketConfig.custom()
                .setSoKeepAlive(true)
                .setSoTimeout(read)
                .setTcpNoDelay(true)
                .build());
        http = HttpClients.custom()
                .setConnectionManager(pool)
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setConnectionRequestTimeout((int) OriginSettings.POOL_WAIT.toMillis())
                        .setConnectTimeout((int) OriginSettings.CONNECT.toMillis())
                        .setSocketTimeout(read)
                        .setStaleConnectionCheckEnabled(staleCheck)
                        .build())
                .build();
        evictor = new IdleConnectionEvictor(
                pool,
                OriginSettings.SWEEP.toMillis(),
                TimeUnit.MILLISECONDS,
                OriginSettings.IDLE.toMillis(),
                TimeUnit.MILLISECONDS);
        evictor.start();
    }

    @Override
    public Reply call(Payment payment) throws Exception {
        HttpPost post = new HttpPost(url);
        post.setHeader("Content-Type", TYPE);
        post.setHeader(KEY, payment.id());
        post.setEntity(new ByteArrayEntity(payment.xml().getBytes(StandardCharsets.US_ASCII)));
        try (CloseableHttpResponse answer = http.execute(post)) {
            byte[] body = EntityUtils.toByteArray(answer.getEntity());
            return Reply.of(answer.getStatusLine().getStatusCode(), body);
        } catch (ConnectionPoolTimeoutException e) {
            throw ExceptionEndings.pool(e);
        } catch (ConnectTimeoutException e) {
            throw ExceptionEndings.connect(e);
        } catch (Exception e) {
            throw ExceptionEndings.of(e);
        }
    }

    @Override
    public void close() throws IOException {
        evictor.shutdown();
        http.close();
    }
}
