package dev.penstock.races.httppool;

import dev.penstock.lab.load.PaymentXml.Payment;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** The JDK's own client: its selector watches idle connections, while the caller's virtual thread waits. */
final class JdkClient implements Client {
    private final URI url;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(OriginSettings.CONNECT)
            .build();

    JdkClient(URI url) {
        this.url = url;
    }

    @Override
    public Reply call(Payment payment) throws Exception {
        HttpRequest post = HttpRequest.newBuilder(url)
                .header("Content-Type", TYPE)
                .header(KEY, payment.id())
                .timeout(OriginSettings.READ)
                .POST(BodyPublishers.ofByteArray(payment.xml().getBytes(StandardCharsets.US_ASCII)))
                .build();
        try {
            HttpResponse<byte[]> answer = http.send(post, BodyHandlers.ofByteArray());
            return Reply.of(answer.statusCode(), answer.body());
        } catch (Exception e) {
            throw ExceptionEndings.of(e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
        http.close();
    }
}
