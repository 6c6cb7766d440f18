package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpTargetSettingsTest {
    private static final Setting GIVEN =
            new Setting("pool.wait", "1 s", "1 ms..1 h", "given", Instant.EPOCH, Origin.GIVEN);
    private static final Setting FOUND =
            new Setting("pool.max", "auto", "1..100000", "to be found", Instant.EPOCH, Origin.DEFAULT);

    private final HttpTargetSettings settings =
            new HttpTargetSettings(List.of(GIVEN, FOUND), null, found("64", "a start"));

    private static List<ExchangeSetting> found(String value, String reason) {
        return List.of(new ExchangeSetting("pool.max", value, reason));
    }

    private Setting now(String value, String reason) {
        return settings.with(found(value, reason)).get(1);
    }

    @Test
    void whatWasGivenStaysAsItIs() {
        assertThat(settings.with(found("65", "more"))).contains(GIVEN);
        assertThat(settings.with(List.of())).containsExactly(GIVEN, FOUND);
    }

    @Test
    void theFirstValueIsADefaultSinceTheBeginning() {
        assertThat(now("64", "still"))
                .isEqualTo(new Setting("pool.max", "64", "1..100000", "still", Instant.EPOCH, Origin.DEFAULT));
    }

    @Test
    void aValueThatChangedBeforeAnybodyAskedIsLearned() {
        Setting changed = now("97", "a burst");
        assertThat(changed.origin()).isEqualTo(Origin.LEARNED);
        assertThat(changed.since()).isAfter(Instant.EPOCH);
        assertThat(changed.reason()).isEqualTo("a burst");
        assertThat(now("97", "rate x time").since()).isEqualTo(changed.since());
        assertThat(now("97", "rate x time").origin()).isEqualTo(Origin.LEARNED);
    }
}
