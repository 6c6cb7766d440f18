package dev.penstock.races.overload;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Several flows with the same load to one stage, each with a contestant of its own, and how evenly they were answered: Jain's
 * index, which is 1 when all got the same, and 1/n when one got all (R. Jain et al., DEC-TR-301, 1984).
 */
final class ParallelFlows implements LimitedStage {
    private final List<LimitedStage> lanes;
    private final AtomicLongArray answered;

    private ParallelFlows(List<LimitedStage> lanes) {
        this.lanes = lanes;
        this.answered = new AtomicLongArray(lanes.size());
    }

    /**
     * One doorway for one flow, or as many as there are flows.
     *
     * @param flows how many; 1 or more
     * @param maker makes one for each
     */
    static LimitedStage of(int flows, Supplier<LimitedStage> maker) {
        return flows == 1
                ? maker.get()
                : new ParallelFlows(Stream.generate(maker).limit(flows).toList());
    }

    private int lane(long request) {
        return (int) (request % lanes.size());
    }

    @Override
    public void take(Long request, Reply<? super Long> reply) throws Exception {
        int lane = lane(request);
        lanes.get(lane).take(request, new Reply<Long>() {
            @Override
            public void answered(Long answer) {
                answered.incrementAndGet(lane);
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
        return lanes.get(lane(request)).call(request);
    }

    /** The sum of all. */
    @Override
    public OptionalInt permits() {
        return lanes.stream()
                .map(LimitedStage::permits)
                .flatMapToInt(OptionalInt::stream)
                .reduce(Integer::sum);
    }

    @Override
    public OptionalDouble fairness() {
        double[] counts =
                IntStream.range(0, lanes.size()).mapToDouble(answered::get).toArray();
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
        lanes.forEach(LimitedStage::close);
    }
}
