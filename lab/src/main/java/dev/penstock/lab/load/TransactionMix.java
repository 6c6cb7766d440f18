package dev.penstock.lab.load;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The labels of the transactions of a load, and how many of each there are. Each transaction has one label, at random by
 * weight and independent of the others. The same seed gives the same sequence. Immutable.
 *
 * <pre>{@code
 * TransactionMix mix = new TransactionMix(List.of(new Share("browse", 8), new Share("pay", 2)), seed);
 * load.labelled(mix).run(service, number -> requests.get(mix.labelOf(number)));
 * }</pre>
 */
public final class TransactionMix {
    /** The maximum number of labels. Each takes about 1 MB while the load runs. */
    public static final int MAX_LABELS = 100;

    /** The maximum weight. */
    public static final int MAX_WEIGHT = 1_000_000;

    private final List<Share> shares;
    private final long spread;
    /** For each label, the sum of its weight and those of the labels before it. */
    private final int[] upTo;

    /**
     * One label.
     *
     * @param label without whitespace
     * @param weight 1 to {@link #MAX_WEIGHT}: its share is the weight divided by the sum of all weights
     */
    public record Share(String label, int weight) {
        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException when the weight is out of range
         */
        public Share {
            if (weight < 1 || weight > MAX_WEIGHT) {
                throw new IllegalArgumentException(
                        "the weight of \"" + label + "\" must be 1 to " + MAX_WEIGHT + ", not " + weight);
            }
        }
    }

    /**
     * A mix of labels.
     *
     * @param shares 1 to {@link #MAX_LABELS}, with distinct labels
     * @param seed the same seed gives the same sequence of labels
     */
    public TransactionMix(List<Share> shares, long seed) {
        if (shares.isEmpty() || shares.size() > MAX_LABELS) {
            throw new IllegalArgumentException("a load has 1 to " + MAX_LABELS + " labels, not " + shares.size());
        }
        this.shares = List.copyOf(shares);
        this.spread = PaymentXml.mix(seed ^ 0x6c6162656c73L);
        this.upTo = new int[shares.size()];
        Set<String> labels = new HashSet<>();
        int sum = 0;
        for (int i = 0; i < upTo.length; i++) {
            Share share = shares.get(i);
            if (!labels.add(share.label())) {
                throw new IllegalArgumentException(
                        "the label \"" + share.label() + "\" is used twice: use another one for one of them");
            }
            sum += share.weight();
            upTo[i] = sum;
        }
    }

    /** The labels, in order. */
    public List<String> labels() {
        return shares.stream().map(Share::label).toList();
    }

    /**
     * The label of a transaction, as its index in {@link #labels}. Allocates nothing.
     *
     * @param number of the transaction, from 0
     */
    public int labelOf(long number) {
        long random = PaymentXml.mix(spread + number * 0x9E3779B97F4A7C15L);
        long at = Math.unsignedMultiplyHigh(random, upTo[upTo.length - 1]);
        int label = 0;
        while (at >= upTo[label]) {
            label++;
        }
        return label;
    }

    /** The labels with their weights. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("mix:");
        shares.forEach(share -> text.append(text.length() > 4 ? ", " : " ")
                .append(share.label())
                .append(' ')
                .append(share.weight()));
        return text.toString();
    }
}
