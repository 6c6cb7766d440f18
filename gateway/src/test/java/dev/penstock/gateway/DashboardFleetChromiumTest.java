package dev.penstock.gateway;

import static dev.penstock.gateway.DashboardChromiumTest.OVERFLOW;
import static dev.penstock.gateway.DashboardChromiumTest.picture;
import static dev.penstock.gateway.DashboardChromiumTest.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.lab.kit.Chromium;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The limits that gateways share, on the admin page in a real browser. */
@Timeout(300)
@NeedsProgram("chromium")
class DashboardFleetChromiumTest {
    /** Another gateway has 30 of 40, and has not met the others for a few seconds. */
    private static final String OTHER = "insert into penstock_fleet (fleet, member, wants, holds, lease_until)"
            + " values ('payments', 'another', 50, 30, clock_timestamp() + interval '6 s')";

    private static String card(String title) {
        return "[...document.querySelectorAll('main > div > .card')].find(card => card.querySelector('h3').textContent === '"
                + title + "')";
    }

    @TempDir
    Path folder;

    @Test
    void showsTheGatewaysWithTheirShares() throws Exception {
        try (RealPostgres postgres = RealPostgres.start();
                FreshSchema schema = postgres.schema();
                SlowTarget target = new SlowTarget();
                Gateway gateway = Running.gateway(folder, yaml(schema, target));
                Chromium chromium = Chromium.start(Files.createDirectory(folder.resolve("profile")));
                Chromium.Tab tab =
                        chromium.tab().sized(1280, 900).load(Objects.requireNonNull(gateway.adminAddress()))) {
            until(tab, "document.documentElement.dataset.looks >= 1");
            schema.execute(OTHER);
            String limit = card("Fleet payments");
            until(
                    tab,
                    limit + "?.textContent.includes('31 of 40 are given out, 50 could be used. This gateway has 1: ')"
                            + " && /^another3050[4-9] s ago$/.test(" + limit + ".querySelector('tr.bad').textContent)");
            picture(tab, "fleet", 1280, false);
            until(tab, "!" + limit + ".querySelector('tr.bad')");
            until(tab, limit + ".textContent.includes('40 of 40 are given out')");
            assertThat(tab.value(limit + ".querySelector('caption').textContent")
                            .stringValue())
                    .isEqualTo("Gateways of fleet payments");
            assertThat(tab.value(limit + ".querySelectorAll('th[scope=col]').length")
                            .intValue())
                    .isEqualTo(4);
            until(tab, card("Fleet payments rate") + ".textContent.includes('50 of 50 are given out')");
            tab.sized(320, 800);
            until(tab, OVERFLOW + " === 0 && innerWidth === 320");
            picture(tab, "fleet", 320, false);
            assertThat(tab.console()).isEmpty();
        }
    }

    private String yaml(FreshSchema schema, SlowTarget target) {
        return """
                admin: { port: 0 }
                state: "%s"
                store: { url: "%s" }
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "%s" } }
                    limit: { fleet: 40 }
                    rate: { fleet: 50/s }
                """.formatted(folder.resolve("state"), schema.url(), target.url());
    }
}
