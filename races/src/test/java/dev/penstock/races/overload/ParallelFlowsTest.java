package dev.penstock.races.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ParallelFlowsTest {
    private static LimitedStage answering() {
        return new LimitedStage() {
            @Override
            public void take(Long request, Reply<? super Long> reply) {
                reply.answered(request);
            }

            @Override
            public Long call(Long request) {
                return request;
            }

            @Override
            public OptionalInt permits() {
                return OptionalInt.of(10);
            }

            @Override
            public void close() {}
        };
    }

    private static final LimitedStage.Reply<Long> NOBODY = new LimitedStage.Reply<>() {
        @Override
        public void answered(Long answer) {}

        @Override
        public void threw(Throwable failure) {}
    };

    @Test
    void singleFlowIsTheContestantItself() {
        LimitedStage one = answering();

        assertThat(ParallelFlows.of(1, () -> one)).isSameAs(one);
        assertThat(one.fairness()).isEmpty();
    }

    @Test
    void equalSharesAreFairAndOneShareIsNot() throws Exception {
        LimitedStage even = ParallelFlows.of(2, ParallelFlowsTest::answering);
        LimitedStage uneven = ParallelFlows.of(2, ParallelFlowsTest::answering);
        assertThat(even.fairness()).isEmpty();
        for (long request = 0; request < 10; request++) {
            even.take(request, NOBODY);
            uneven.take(2 * request, NOBODY);
        }

        assertThat(even.fairness().orElseThrow()).isEqualTo(1);
        assertThat(uneven.fairness().orElseThrow()).isCloseTo(0.5, within(1e-9));
        assertThat(even.permits()).hasValue(20);
    }
}
