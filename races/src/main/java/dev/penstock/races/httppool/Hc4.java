package dev.penstock.races.httppool;

import dev.penstock.lab.load.PaymentXml.Payment;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
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
 * Apache HttpClient 4.5 as the origin set it up, without its signing: what its pool alone did. It looks at a connection
 * before use either always (the stale check, up to 1 ms each time), or when it lay idle for longer than a time, or never.
 * Its default retry repeats a POST only when it was not sent.
 */
final class Hc4 implements Client {
    private final URI url;
    private final PoolingHttpClientConnectionManager pool = new PoolingHttpClientConnectionManager();
    private final IdleConnectionEvictor evictor;
    private final CloseableHttpClient http;

    /**
     * A client.
     *
     * @param staleCheck whether it looks at a connection before each use
     * @param validateAfter milliseconds of idleness after which it looks at a connection before use; 0 for never
     */
    @SuppressWarnings("deprecation") // the stale check is what the origin used
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
                pool, OriginSettings.SWEEP.toMillis(), TimeUnit.MILLISECONDS, OriginSettings.IDLE.toMillis(), TimeUnit.MILLISECONDS);
        evictor.start();
    }

    static Map<String, String> settings(boolean staleCheck, int validateAfter) {
        String look = staleCheck ? "before each use" : validateAfter == 0 ? "never" : "idle " + validateAfter + " ms";
        return ContestantSettings.of(
                "library", "Apache HttpClient 4.5.14",
                "threads", "platform",
                "look", look,
                "retry", "only what was not sent");
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
