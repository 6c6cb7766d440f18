package dev.penstock.races.kafkaflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.race.BlockResult;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One kill of the consumer, and one of the broker. */
@Timeout(300)
class KillRunKafkaTest {
    @ParameterizedTest
    @ValueSource(strings = {KafkaFlowContestants.PENSTOCK, KafkaFlowContestants.PENSTOCK_SHARED})
    void everyRecordTakesEffectOnce(String contestant) throws Exception {
        BlockResult result = KillRun.of(contestant, 1, 2);

        assertThat(result.whyInvalid()).isNull();
        assertThat(result.metrics())
                .containsEntry("kills", 2.0)
                .containsEntry("lost", 0.0)
                .containsEntry("duplicates", 0.0)
                .containsEntry("beyond_in_flight", 0.0);
        assertThat(result.metrics().get("redelivered")).isPositive();
    }
}
