package dev.penstock.gateway;

import static dev.penstock.gateway.DashboardChromiumTest.OVERFLOW;
import static dev.penstock.gateway.DashboardChromiumTest.picture;
import static dev.penstock.gateway.DashboardChromiumTest.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.lab.kit.Chromium;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The search of the page for transactions, in a real browser. */
@Timeout(300)
@NeedsProgram("chromium")
class DashboardSearchChromiumTest {
    private static final String STATUS = "document.querySelector('form[role=search] + .note').textContent";

    @TempDir
    Path folder;

    private HttpServer target;
    private Gateway gateway;
    private Chromium chromium;

    @BeforeEach
    void begin() throws Exception {
        target = Running.target(DashboardSearchChromiumTest::answer);
        gateway = Running.gateway(folder, """
                admin: { port: 0 }
                transactions: { sample: errors }
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "http://127.0.0.1:%d/" } }
                    retry: { attempts: 2, key: Idempotency-Key, answers: [503] }
                    dedupe: { key: Idempotency-Key }
                """.formatted(target.getAddress().getPort()));
        chromium = Chromium.start(Files.createDirectory(folder.resolve("profile")));
    }

    @AfterEach
    void end() {
        if (chromium != null) {
            chromium.close();
            gateway.close();
            target.stop(0);
        }
    }

    /** Is busy, or cuts the connection. */
    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (new String(exchange.getRequestBody().readAllBytes()).equals("busy")) {
                exchange.sendResponseHeaders(503, -1);
            }
        }
    }

    private void post(String key, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(Running.url(gateway)))
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body))
                .build();
        assertThat(Running.CLIENT.send(request, BodyHandlers.ofString()).statusCode())
                .isGreaterThan(500);
    }

    @Test
    void aTransactionIsFoundWithTheKeyboardAlone() throws Exception {
        post("k-busy", "busy");
        post("k-cut", "<b>cut</b>");
        URI page = Objects.requireNonNull(gateway.adminAddress());
        try (Chromium.Tab tab = chromium.tab().sized(1280, 900).load(page)) {
            until(tab, "document.querySelector('form[role=search]')");
            until(tab, "document.querySelector('.reasons .unknown')?.textContent.startsWith('unknown (')");
            tab.value("document.querySelector('input[type=search]').focus()");
            tab.key("Enter");
            until(tab, STATUS + " === '2 transactions.'");
            tab.type("k-busy");
            tab.key("Enter");
            until(tab, STATUS + " === '1 transaction.'");
            for (int i = 0;
                    i < 6
                            && !tab.value("document.activeElement.tagName === 'SUMMARY'")
                                    .booleanValue();
                    i++) {
                tab.key("Tab");
            }
            tab.key("Enter");
            until(tab, "document.querySelectorAll('.line tbody tr').length >= 3");
            String life =
                    tab.value("document.querySelector('.found').textContent").stringValue();
            assertThat(life)
                    .contains("attempt 1: ", "attempt 2: ", "with status 503", "hash of the key")
                    .contains("until the first byte")
                    .doesNotContain("k-busy");
            assertThat(tab.value("document.querySelector('.line caption').textContent")
                            .stringValue())
                    .isEqualTo("Time line");
            looks(tab, false);
            assertThat(tab.console()).isEmpty();
        }
        try (Chromium.Tab tab = chromium.tab().sized(400, 800).dark().load(page)) {
            until(tab, "document.querySelector('form[role=search]')");
            tab.value("document.querySelector('form[role=search] button').click()");
            until(tab, STATUS + " === '2 transactions.'");
            tab.value("document.querySelectorAll('.found summary').forEach(each => each.click())");
            until(tab, "document.querySelectorAll('.life').length === 2");
            looks(tab, true);
        }
    }

    private static void looks(Chromium.Tab tab, boolean dark) throws Exception {
        for (int width : new int[] {400, 1280}) {
            tab.sized(width, 800);
            until(tab, OVERFLOW + " === 0 && innerWidth === " + width);
            picture(tab, "search", width, dark);
        }
    }
}
