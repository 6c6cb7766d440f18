package dev.penstock.races.httppool;

import dev.penstock.lab.load.PaymentXml.Payment;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * OkHttp on the caller's virtual thread. By default it silently retries when a connection fails, including a POST,
 * whether or not the first one was received.
 */
final class OkClient implements Client {
    private final MediaType xml = MediaType.get(TYPE);
    private final HttpUrl url;
    private final OkHttpClient http = new OkHttpClient.Builder()
            .connectionPool(
                    new ConnectionPool(OriginSettings.CONNECTIONS, OriginSettings.IDLE.toSeconds(), TimeUnit.SECONDS))
            .connectTimeout(OriginSettings.CONNECT)
            .readTimeout(OriginSettings.READ)
            .writeTimeout(OriginSettings.READ)
            .build();

    OkClient(URI url) {
        this.url = HttpUrl.get(url.toString());
    }

    @Override
    public Reply call(Payment payment) throws Exception {
        Request post = new Request.Builder()
                .url(url)
                .header(KEY, payment.id())
                .post(RequestBody.create(payment.xml().getBytes(StandardCharsets.US_ASCII), xml))
                .build();
        try (Response answer = http.newCall(post).execute()) {
            return Reply.of(answer.code(), answer.body().bytes());
        } catch (Exception e) {
            throw ExceptionEndings.of(e);
        }
    }

    @Override
    public void close() {
        http.dispatcher().executorService().shutdown();
        http.connectionPool().evictAll();
    }
}
