package dev.penstock.races.httppool;

import com.cybersource.ws.client.ClientException;
import com.cybersource.ws.client.FaultException;
import com.cybersource.ws.client.PoolingHttpClientConnection;
import dev.penstock.lab.load.PaymentXml.Payment;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.http.conn.ConnectTimeoutException;
import org.apache.http.conn.ConnectionPoolTimeoutException;
import org.apache.http.conn.HttpHostConnectException;

/**
 * The payment SDK itself, in its current version with the original service's settings: wraps a payment in SOAP, signs
 * it, and posts it with HttpClient 4.5, with its own retries after fixed sleeps. Its pool is a static field, so there
 * is one per JVM, and none after close.
 *
 * <p>It sends the payment's id in the body ({@link #ID_MARK}), and no Idempotency-Key.
 */
final class PaymentSdk implements Client {
    /** The text before a payment's id in a request; a line feed follows the id. */
    static final String ID_MARK = "merchantTransactionIdentifier=";

    /** An answer that the SDK accepts as an approval. */
    static final byte[] APPROVAL = """
            <soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>\
            <nvpReply xmlns="urn:schemas-cybersource-com:transaction-data-1.164">
            merchantReferenceCode=1
            requestID=1
            decision=ACCEPT
            reasonCode=100
            </nvpReply></soap:Body></soap:Envelope>
            """.getBytes(StandardCharsets.US_ASCII);

    static final Map<String, String> SETTINGS = Client.settings(
            "library", "cybersource-sdk-java 6.2.15",
            "threads", "platform",
            "validation", "before each use",
            "retry", "3 times after 1 s",
            "also", "SOAP, signed with RSA 2048");

    private final MerchantKey key;
    private final Properties properties;

    PaymentSdk(URI url) throws Exception {
        this.key = MerchantKey.create();
        this.properties = properties(url, key);
    }

    private static Properties properties(URI url, MerchantKey key) {
        Properties to = new Properties();
        to.put("merchantID", MerchantKey.NAME);
        to.put("keyAlias", MerchantKey.NAME);
        to.put("keysDirectory", key.directory().toString());
        to.put("keyFilename", key.fileName());
        to.put("keyPassword", MerchantKey.PASSWORD);
        to.put("targetAPIVersion", "1.164");
        to.put("serverURL", url.toString());
        to.put("useHttpClientWithConnectionPool", "true");
        String connections = String.valueOf(OriginSettings.CONNECTIONS);
        to.put("maxConnections", connections);
        to.put("defaultMaxConnectionsPerRoute", connections);
        to.put("maxConnectionsPerRoute", connections);
        to.put("connectionRequestTimeoutMs", String.valueOf(OriginSettings.POOL_WAIT.toMillis()));
        to.put("connectionTimeoutMs", String.valueOf(OriginSettings.CONNECT.toMillis()));
        to.put("socketTimeoutMs", String.valueOf(OriginSettings.READ.toMillis()));
        to.put("evictThreadSleepTimeMs", String.valueOf(OriginSettings.SWEEP.toMillis()));
        to.put("maxKeepAliveTimeMs", String.valueOf(OriginSettings.IDLE.toMillis()));
        to.put("staleConnectionCheckEnabled", "true");
        to.put("validateAfterInactivityMs", "0");
        to.put("enabledShutdownHook", "true");
        to.put("allowRetry", "true");
        to.put("numberOfRetries", "3");
        to.put("retryInterval", "1000");
        to.put("certificateCacheEnabled", "true");
        to.put("enableLog", "false");
        return to;
    }

    @Override
    public Reply call(Payment payment) throws Exception {
        try {
            Map<String, String> answer = com.cybersource.ws.client.Client.runTransaction(fields(payment), properties);
            String decision = String.valueOf(answer.get("decision"));
            return new Reply(200, decision.equals("ACCEPT") ? "approved" : decision);
        } catch (ClientException e) {
            throw switch (e.getInnerException()) {
                case ConnectionPoolTimeoutException _ -> ExceptionEndings.pool(e);
                case ConnectTimeoutException _, HttpHostConnectException _ -> ExceptionEndings.connect(e);
                case null -> ExceptionEndings.of(e);
                case Exception inner -> ExceptionEndings.of(inner);
            };
        } catch (FaultException | RuntimeException e) {
            throw ExceptionEndings.of(e);
        }
    }

    /** A payment as the SDK's fields, with about as many bytes as its XML. */
    static Map<String, String> fields(Payment payment) {
        Map<String, String> fields = new HashMap<>();
        fields.put("ccAuthService_run", "true");
        fields.put("merchantTransactionIdentifier", payment.id());
        fields.put("merchantReferenceCode", payment.id());
        int number = 0;
        for (String line : payment.xml().split("\n", -1)) {
            int end = line.indexOf("</");
            int from = line.indexOf('>') + 1;
            if (end > from) {
                fields.put("merchantDefinedData_field" + number++, line.substring(from, end));
            }
        }
        return fields;
    }

    @Override
    public void close() throws IOException {
        try {
            PoolingHttpClientConnection.onShutdown();
        } finally {
            key.close();
        }
    }
}
