package dev.penstock.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the probably intended word of a misspelled one. */
public final class SpellingHint {
    private SpellingHint() {}

    /** The nearest known word, if at most a third of its letters differ. */
    public static Optional<String> of(String written, Collection<String> known) {
        String plain = plain(written);
        return known.stream()
                .filter(word -> distance(plain, plain(word)) <= Math.max(1, word.length() / 3))
                .min(Comparator.comparingInt(word -> distance(plain, plain(word))));
    }

    /** Lower case without separators, so that maxBody, max-body and MAX_BODY equal max_body. */
    private static String plain(String word) {
        String cut = word.length() > 40 ? word.substring(0, 40) : word;
        return cut.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    }

    /**
     * The optimal string alignment distance: the number of letters to insert, delete, replace or swap with a neighbour.
     */
    static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int cheapest(int[][] cost, String a, String b, int i, int j) {
        int changed = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(changed, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
