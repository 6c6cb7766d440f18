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
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the page shows of the past in a real browser: the search for transactions, and the last 24 hours. */
@Timeout(300)
@NeedsProgram("chromium")
class DashboardPastChromiumTest {
    private static final String STATUS = "document.querySelector('form[role=search] + .note').textContent";

    @TempDir
    Path folder;

    private HttpServer target;
    private Gateway gateway;
    private Chromium chromium;

    @BeforeEach
    void begin() throws Exception {
        Files.writeString(folder.resolve("penstock-state.history"), yesterday());
        target = Running.target(DashboardPastChromiumTest::answer);
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

    /** What a gateway wrote that stopped ten minutes ago, in the middle of a line. */
    private static String yesterday() {
        long now = System.currentTimeMillis() / 1000;
        StringBuilder all = new StringBuilder();
        for (long at = now - 90_000; at < now - 600; at += 10) {
            double rate = 200 + Math.round(80 * Math.sin(at / 8e3));
            boolean fails = at > now - 4_000 && at < now - 3_700;
            all.append("[%d,\"payments\",%s,%s,0,%s,0,%d,0,200,9,4,0,null,12.5,30,%d]%n"
                    .formatted(at, rate, fails ? 20 : rate, fails ? rate - 20 : 0, fails ? 190 : 12, fails ? 900 : 55));
        }
        return all.append("[1764,\"pay").toString();
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
            looks(tab, "search", false);
            assertThat(tab.console()).isEmpty();
        }
        try (Chromium.Tab tab = chromium.tab().sized(400, 800).dark().load(page)) {
            until(tab, "document.querySelector('form[role=search]')");
            tab.value("document.querySelector('form[role=search] button').click()");
            until(tab, STATUS + " === '2 transactions.'");
            tab.value("document.querySelectorAll('.found summary').forEach(each => each.click())");
            until(tab, "document.querySelectorAll('.life').length === 2");
            looks(tab, "search", true);
        }
    }

    private static void label(Chromium.Tab tab, String starts) throws Exception {
        until(tab, "document.querySelector('.plot')?.getAttribute('aria-label')?.startsWith('" + starts + "')");
    }

    @Test
    void theLastDayIsShownAfterARestart() throws Exception {
        URI page = Objects.requireNonNull(gateway.adminAddress());
        String moment =
                Instant.ofEpochMilli(System.currentTimeMillis() - 3_850_000).toString();
        try (Chromium.Tab tab = chromium.tab().sized(1280, 900).load(page.resolve("#payments;range=24h"))) {
            label(tab, "Rate over 24 h, per second. Last: offered ");
            tab.value("document.querySelector('.chart summary').click()");
            until(tab, "document.querySelectorAll('.chart tbody tr').length === 12");
            looks(tab, "day", false);
            tab.value("document.querySelector('.ranges a[aria-current]').focus()");
            assertThat(tab.value("document.activeElement.textContent").stringValue())
                    .isEqualTo("24 h");
            tab.value("document.querySelectorAll('.ranges a')[1].focus()");
            tab.key("Enter");
            label(tab, "Rate over 1 h, ");
            assertThat(tab.value("location.hash").stringValue()).isEqualTo("#payments;range=1h");
            tab.value("location.hash = 'payments;range=1h;at=" + moment + "'");
            until(tab, "document.querySelector('.ranges .note').textContent.startsWith('Around ')");
            looks(tab, "moment", false);
            tab.value("document.querySelector('.ranges a').click()");
            label(tab, "Rate over time, per second. Now: ");
            post("k-cut", "cut");
            until(tab, "document.querySelector('.events:not(.reasons) a time')");
            tab.value("document.querySelector('.events:not(.reasons) a').click()");
            label(tab, "Rate over 1 h, ");
            assertThat(tab.console()).isEmpty();
        }
        try (Chromium.Tab tab =
                chromium.tab().sized(400, 800).dark().load(page.resolve("#payments;range=6h;at=" + moment))) {
            label(tab, "Rate over 6 h, ");
            looks(tab, "moment", true);
            assertThat(tab.console()).isEmpty();
        }
    }

    private static void looks(Chromium.Tab tab, String name, boolean dark) throws Exception {
        for (int width : new int[] {400, 1280}) {
            tab.sized(width, 800);
            until(tab, OVERFLOW + " === 0 && innerWidth === " + width);
            picture(tab, name, width, dark);
        }
    }
}
