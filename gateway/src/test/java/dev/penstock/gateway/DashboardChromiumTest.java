package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.penstock.Setting;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.lab.kit.Chromium;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The admin page of a running gateway in a real browser. */
@Timeout(300)
@NeedsProgram("chromium")
class DashboardChromiumTest {
    static final String OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    private static final int[] WIDTHS = {320, 400, 1280};
    private static final String ROW = "document.querySelector('tr[data-name=\"limit\"]')";

    @TempDir
    static Path folder;

    private static Chromium chromium;
    private static SlowTarget target;
    private static Gateway gateway;
    private static Thread caller;

    @BeforeAll
    static void begin() throws Exception {
        target = new SlowTarget();
        gateway = Running.gateway(folder, target, "deadline: 60s", "limit: { min: 2, max: 400 }");
        caller = Thread.ofVirtual().start(DashboardChromiumTest::callOnAndOn);
        chromium = Chromium.start(Files.createDirectory(folder.resolve("profile")));
    }

    private static void callOnAndOn() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Running.post(Running.url(gateway));
                LockSupport.parkNanos(5_000_000);
            }
        } catch (Exception ended) {
            // The gateway is closing.
        }
    }

    @AfterAll
    static void end() {
        if (chromium != null) {
            chromium.close();
            caller.interrupt();
            gateway.close();
            target.close();
        }
    }

    private static Chromium.Tab open(int width, int height, boolean dark) throws Exception {
        Chromium.Tab tab = chromium.tab().sized(width, height);
        return (dark ? tab.dark() : tab).load(pages(gateway));
    }

    private static URI pages(Gateway of) {
        return Objects.requireNonNull(of.adminAddress());
    }

    /** Waits in the page until an expression is true, or fails. */
    static void until(Chromium.Tab tab, String holds) throws Exception {
        String wait = "new Promise(done => { const end = Date.now() + 60000; const look = () => (" + holds
                + ") ? done(true) : Date.now() > end ? done(false) : setTimeout(look, 20); look(); })";
        assertThat(tab.value(wait).booleanValue()).as(holds).isTrue();
    }

    private static void looks(Chromium.Tab tab, int many) throws Exception {
        until(tab, "document.documentElement.dataset.looks >= " + many);
    }

    private static String text(Chromium.Tab tab, String of) throws Exception {
        return tab.value(of + ".textContent").stringValue();
    }

    private static void isClean(Chromium.Tab tab) throws Exception {
        assertThat(tab.console()).isEmpty();
        assertThat(tab.requests())
                .isNotEmpty()
                .allMatch(url -> url.startsWith(pages(gateway).toString()) || url.equals("data:,"));
        assertThat(tab.value(OVERFLOW).intValue()).isZero();
    }

    private static Setting limit() {
        return gateway.flows().getFirst().snapshot().settings().stream()
                .filter(setting -> setting.name().equals("limit"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void numbersChangeAndNothingIsRequestedElsewhere() throws Exception {
        try (Chromium.Tab tab = open(1280, 900, false)) {
            looks(tab, 1);
            String before = text(tab, "document.querySelector('.account')");
            assertThat(before).startsWith("Accounting balanced:").doesNotContain("'");
            until(tab, "document.querySelector('.account').textContent !== '" + before + "'");
            assertThat(text(tab, "document.querySelector('#state')")).isEqualTo("running");
            assertThat(text(tab, "document.querySelector('p.bottleneck')")).isNotBlank();
            assertThat(tab.value("document.querySelectorAll('.stages .box').length")
                            .intValue())
                    .isEqualTo(4);
            assertThat(tab.value("document.querySelectorAll('.chart canvas').length")
                            .intValue())
                    .isEqualTo(5);
            assertThat(tab.value("document.querySelector('.plot').getAttribute('aria-label')")
                            .stringValue())
                    .matches("Rate over time, per second\\. Now: offered [0-9.,]+, answered [0-9.,]+\\.");
            tab.value("document.querySelector('.chart summary').click()");
            until(tab, "document.querySelectorAll('.chart tbody tr').length > 0");
            isClean(tab);
        }
    }

    @Test
    void pinsWithTheKeyboardAlone() throws Exception {
        try (Chromium.Tab tab = open(1280, 900, false)) {
            looks(tab, 1);
            String button = "document.activeElement.getAttribute('aria-label') === 'Pin limit'";
            for (int i = 0; i < 30 && !tab.value(button).booleanValue(); i++) {
                tab.key("Tab");
            }
            tab.key("Enter");
            until(tab, "document.activeElement.tagName === 'INPUT'");
            tab.type("abc");
            tab.key("Enter");
            until(tab, "document.querySelector('.wrong').textContent === 'limit: give 2..400, not abc'");
            tab.value("document.querySelector('form input').select()");
            tab.type("33");
            tab.key("Enter");
            until(tab, ROW + ".classList.contains('pinned')");

            assertThat(limit().value()).isEqualTo("33");
            assertThat(limit().pin()).isEqualTo(Setting.Pin.ON);
            assertThat(text(tab, "document.querySelector('#announcement')")).isEqualTo("limit is pinned to 33.");
            assertThat(tab.value(button).booleanValue()).as("focus is back").isTrue();
            until(
                    tab,
                    "[...document.querySelectorAll('.events p')].some(one => one.textContent.includes('limit is 33, pinned'))");
            until(
                    tab,
                    "[...document.querySelectorAll('.box small')].some(one => one.textContent === ' of 33 permits')");

            tab.value(ROW + ".querySelector('[aria-label=\"Unpin limit\"]').click()");
            until(tab, "!" + ROW + ".classList.contains('pinned')");
            assertThat(limit().pin()).isEqualTo(Setting.Pin.OFF);
            assertThat(limit().origin()).isEqualTo(Setting.Origin.LEARNED);
            // The browser logs a refused request too.
            assertThat(tab.console()).allMatch(line -> line.contains("400"));
        }
    }

    @Test
    void fitsNarrowScreensLightAndDark() throws Exception {
        try (Chromium.Tab light = open(WIDTHS[0], 800, false);
                Chromium.Tab dark = open(WIDTHS[0], 800, true)) {
            for (Chromium.Tab tab : new Chromium.Tab[] {light, dark}) {
                looks(tab, 2);
                tab.value("document.querySelectorAll('details').forEach(each => { each.open = true; })");
                tab.value("document.querySelector('[aria-label=\"Pin limit\"]').click()");
                for (int width : WIDTHS) {
                    tab.sized(width, 800);
                    until(tab, OVERFLOW + " === 0 && innerWidth === " + width);
                    isClean(tab);
                    shoot(tab, "dash", width, tab == dark);
                }
            }
        }
    }

    /** One flow to two servers, one of which is not there, and one flow whose target answers 500. */
    @Test
    void showsTheServersAndWhichFlowFails(@TempDir Path other) throws Exception {
        HttpServer broken = Running.target(exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(500, -1);
            }
        });
        int closed;
        try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = unused.getLocalPort();
        }
        Gateway two = Running.gateway(other, """
                admin: { port: 0 }
                state: "%s"
                flows:
                  orders:
                    from: { http: { port: 0, path: /orders } }
                    to: { http: { url: [ "%s", "http://127.0.0.1:%d/" ] } }
                    retry: { attempts: 3 }
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "http://127.0.0.1:%d/" } }
                """.formatted(
                        other.resolve("state"),
                        target.url(),
                        closed,
                        broken.getAddress().getPort()));
        try (Chromium.Tab tab = chromium.tab().sized(1280, 900).load(pages(two))) {
            looks(tab, 1);
            until(tab, "document.querySelector('#state').textContent === 'running'");
            for (int i = 0; i < 60; i++) {
                Running.post(two.flows().getFirst().snapshot().from());
                Running.post(two.flows().getLast().snapshot().from());
            }
            until(tab, "document.querySelector('#state').textContent === 'running, 2 of 2 flows with problems'");
            until(tab, "document.querySelectorAll('nav a.bad').length === 2");
            until(tab, "document.querySelector('tr.bad').textContent.includes(':" + closed + "')");
            shoot(tab, "servers", 1280, false);
            tab.value("location.hash = 'payments'");
            until(tab, "document.querySelector('article:not([hidden]) .problems')?.textContent.includes('with 5xx')");
            until(
                    tab,
                    "[...document.querySelectorAll('article:not([hidden]) .account')].some(one => one.textContent.includes('500: 60'))");
            until(tab, "[...document.querySelectorAll('article:not([hidden]) .events .answers')].length > 0");
            assertThat(tab.value("document.querySelector('#state').className").stringValue())
                    .isEqualTo("state bad");
            assertThat(tab.value(OVERFLOW).intValue()).isZero();
            assertThat(tab.console()).isEmpty();
            shoot(tab, "errors", 1280, false);
        } finally {
            two.close();
            broken.stop(0);
        }
    }

    @Test
    void showsWhenTheGatewayIsGone(@TempDir Path other) throws Exception {
        Gateway gone = Running.gateway(other, target);
        try (Chromium.Tab tab = chromium.tab().sized(1280, 900).load(pages(gone))) {
            looks(tab, 1);
            gone.close();
            until(tab, "document.querySelector('#state').textContent === 'no connection'");
        }
    }

    private static void shoot(Chromium.Tab tab, String name, int width, boolean dark) throws Exception {
        tab.value("document.querySelectorAll('details').forEach(each => { each.open = false; })");
        picture(tab, name, width, dark);
    }

    /** Writes pictures for inspection, with {@code -Dpenstock.screenshots=FOLDER}. */
    static void picture(Chromium.Tab tab, String name, int width, boolean dark) throws Exception {
        String where = System.getProperty("penstock.screenshots");
        if (where == null || where.isBlank()) {
            return;
        }
        double height = tab.value("document.documentElement.scrollHeight").doubleValue();
        Path file = Path.of(where, "%s-%d-%s.png".formatted(name, width, dark ? "dark" : "light"));
        Files.write(file, tab.picture(0, 0, width, height));
    }
}
