package dev.penstock.races.overload;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Several flows with the same load to one stage, each with its own contestant, and the fairness between them:
 * Jain's index, which is 1 when all got the same number of answers, and 1/n when one got all (R. Jain et al.,
 * DEC-TR-301, 1984).
 */
final class ParallelFlows implements LimitedStage {
    private final List<LimitedStage> contestants;
    private final AtomicLongArray answered;

    private ParallelFlows(List<LimitedStage> contestants) {
        this.contestants = contestants;
        this.answered = new AtomicLongArray(contestants.size());
    }

    /**
     * One contestant for one flow, or several in parallel.
     *
     * @param flows their number; 1 or more
     * @param factory creates one per flow
     */
    static LimitedStage of(int flows, Supplier<LimitedStage> factory) {
        return flows == 1
                ? factory.get()
                : new ParallelFlows(Stream.generate(factory).limit(flows).toList());
    }

    private int index(long request) {
        return (int) (request % contestants.size());
    }

    @Override
    public void take(Long request, Reply<? super Long> reply) throws Exception {
        int index = index(request);
        contestants.get(index).take(request, new Reply<Long>() {
            @Override
            public void answered(Long answer) {
                answered.incrementAndGet(index);
                reply.answered(answer);
            }

            @Override
            public void threw(Throwable failure) {
                reply.threw(failure);
            }
        });
    }

    @Override
    public Long call(Long request) throws Exception {
        return contestants.get(index(request)).call(request);
    }

    /** The sum of all. */
    @Override
    public OptionalInt permits() {
        return contestants.stream()
                .map(LimitedStage::permits)
                .flatMapToInt(OptionalInt::stream)
                .reduce(Integer::sum);
    }

    @Override
    public OptionalDouble fairness() {
        double[] counts = IntStream.range(0, contestants.size())
                .mapToDouble(answered::get)
                .toArray();
        double sum = 0;
        double squares = 0;
        for (double count : counts) {
            sum += count;
            squares += count * count;
        }
        return squares == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum * sum / (counts.length * squares));
    }

    @Override
    public void close() {
        contestants.forEach(LimitedStage::close);
    }
}
