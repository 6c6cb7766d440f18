package dev.penstock.kit;

/** The size of the tests tagged "full": brief in the default build, whole with {@code -Pfull}. */
public final class FullRun {
    /** Whether this is a run with {@code -Pfull}, which sets the system property {@code penstock.full}. */
    public static final boolean ON = Boolean.getBoolean("penstock.full");

    private FullRun() {}

    /**
     * One of two sizes, for instance of iterations.
     *
     * @param brief in the default build
     * @param whole with {@code -Pfull}
     */
    public static int sized(int brief, int whole) {
        return ON ? whole : brief;
    }
}
