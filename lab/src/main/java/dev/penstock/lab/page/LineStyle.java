package dev.penstock.lab.page;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The style of a line as classes of page.css: a hue, and the dash of the contestant's role, so that no two lines differ
 * by hue alone. Hues are from Okabe and Ito's palette ("Color Universal Design", 2008), which colour-blind people can
 * distinguish; only ours has the accent colour and the widest line.
 *
 * @param css the classes
 */
record LineStyle(String css) {
    /** The hues of page.css, besides the accent (0) and ink (1). */
    private static final int HUES = 5;

    /** The number of dashes per role in page.css; further lines reuse the last one. */
    private static final int ROUNDS = 3;

    /** Whether it has the accent colour. */
    boolean accent() {
        return css.startsWith("q0 ");
    }

    /** The styles of a course's contestants, in their order. */
    static List<LineStyle> of(List<Contestant> contestants) {
        Map<Role, Integer> seen = new EnumMap<>(Role.class);
        List<LineStyle> styles = new ArrayList<>();
        int hue = 0;
        for (Contestant contestant : contestants) {
            Role role = contestant.role();
            styles.add(of(role, hue, seen.merge(role, 1, Integer::sum) - 1));
            hue += role == Role.OURS || role == Role.LIMIT ? 0 : 1;
        }
        return styles;
    }

    /**
     * The styles of several lines of one contestant: the second has the accent, because it is the most important one.
     */
    static List<LineStyle> ofLines(int count) {
        List<LineStyle> styles = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            styles.add(i == Math.min(1, count - 1) ? of(Role.OURS, 0, 0) : of(Role.PEER, i, 0));
        }
        return styles;
    }

    /** The next hue for each contestant; within a role, another dash when hues repeat. */
    private static LineStyle of(Role role, int hue, int before) {
        String css = role.name().toLowerCase(Locale.ROOT);
        return switch (role) {
            case OURS -> new LineStyle("q0 d-" + css + round(before));
            case LIMIT -> new LineStyle("q1 d-" + css + round(before));
            case BEFORE, AFTER, PEER -> new LineStyle("q" + (2 + hue % HUES) + " d-" + css + round(before / HUES));
        };
    }

    private static String round(int round) {
        return round == 0 ? "" : " r" + Math.min(round, ROUNDS - 1);
    }
}
