package dev.penstock.collapse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Collapse;
import dev.penstock.CollapseSettings;
import dev.penstock.Failed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyedBatchersTest {
    private static final long SECOND = 1_000_000_000;

    private static KeyedBatchers<String, String> batchers(CollapseSettings<String, String> settings, long now) {
        return new KeyedBatchers<>(() -> settings, () -> Pure.batcher(settings, now), now);
    }

    private static CollapseSettings<String, String> byFirstLetters() {
        return Pure.collapse(100).per(request -> request.split(" ")[0]).settings();
    }

    @Test
    void whereNothingKeepsThemApartThereIsOneForAll() throws Exception {
        KeyedBatchers<String, String> all = batchers(Pure.settings(2), 0);
        assertThat(all.of("a", 0)).isSameAs(all.of("b", 0)).isNotNull();
        assertThat(all.keys()).isZero();
    }

    @Test
    void eachKeyHasItsOwn() throws Exception {
        KeyedBatchers<String, String> all = batchers(byFirstLetters(), 0);
        assertThat(all.of("a 1", 0)).isSameAs(all.of("a 2", 0)).isNotSameAs(all.of("b 1", 0));
        assertThat(all.keys()).isEqualTo(2);
    }

    @Test
    void whatIsNotFitOrHasNobodyToTravelWithGoesAlone() throws Exception {
        assertThat(batchers(Pure.settings(1), 0).of("a", 0)).isNull();
        KeyedBatchers<String, String> fit = batchers(
                Pure.collapse(2).only(request -> !request.equals("big")).settings(), 0);
        assertThat(fit.of("big", 0)).isNull();
        assertThat(fit.of("small", 0)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {100 * SECOND, Long.MAX_VALUE - 30 * SECOND})
    void thatOfAKeyNobodyUsesIsDropped(long start) throws Exception {
        KeyedBatchers<String, String> all = batchers(byFirstLetters(), start);
        for (int key = 0; key < 50; key++) {
            all.of("old" + key + " 1", start);
        }
        all.of("new", start + 61 * SECOND);
        assertThat(all.keys()).isEqualTo(1);
    }

    @Test
    void keysBeyondTheMostGoAloneUntilOthersAreDropped() throws Exception {
        KeyedBatchers<String, String> all = batchers(byFirstLetters(), 0);
        for (int key = 0; key < Collapse.MAX_KEYS; key++) {
            assertThat(all.of("key" + key, SECOND)).isNotNull();
        }
        assertThat(all.of("one too many", SECOND)).isNull();
        assertThat(all.of("key0", SECOND)).as("known already").isNotNull();
        assertThat(all.keys()).isEqualTo(Collapse.MAX_KEYS);
        assertThat(all.of("one too many", 71 * SECOND)).isNotNull();
        assertThat(all.keys()).isEqualTo(1);
    }

    /** Nothing was sent, so nothing is in doubt. */
    @Test
    void aFunctionThatThrowsFailsItsRequestAlone() {
        KeyedBatchers<String, String> all = batchers(
                Pure.collapse(2)
                        .per(request -> {
                            throw new IllegalStateException("no tenant");
                        })
                        .settings(),
                0);
        assertThatThrownBy(() -> all.of("a", 0)).isInstanceOfSatisfying(Failed.class, failed -> {
            assertThat(failed.why()).isEqualTo(Failed.Cause.UNDONE);
            assertThat(failed).hasMessageContaining("no tenant").hasMessageContaining("correct the function");
        });
    }
}
