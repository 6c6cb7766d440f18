package dev.penstock.lab.probe.fit;

import org.jspecify.annotations.Nullable;

/** Linear equations. */
final class LinearSystem {
    private static final double NOTHING = 1e-12;

    private LinearSystem() {}

    /**
     * Solves them by Gauss's elimination with the largest pivot.
     *
     * @param rows as many as unknowns, each with its right side last; they are used up
     * @return null when they do not tell all of the unknowns apart
     */
    static double @Nullable [] solve(double[][] rows) {
        int n = rows.length;
        for (int column = 0; column < n; column++) {
            int pivot = column;
            for (int row = column + 1; row < n; row++) {
                if (Math.abs(rows[row][column]) > Math.abs(rows[pivot][column])) {
                    pivot = row;
                }
            }
            double[] chosen = rows[pivot];
            rows[pivot] = rows[column];
            rows[column] = chosen;
            if (!clear(rows, column)) {
                return null;
            }
        }
        double[] x = new double[n];
        for (int i = 0; i < n; i++) {
            x[i] = rows[i][n] / rows[i][i];
        }
        return x;
    }

    /** Takes the column out of all rows but its own; false when its pivot is nothing beside what stood there. */
    private static boolean clear(double[][] rows, int column) {
        double[] own = rows[column];
        double most = 0;
        for (double value : own) {
            most = Math.max(most, Math.abs(value));
        }
        if (Math.abs(own[column]) <= NOTHING * most || most == 0) {
            return false;
        }
        for (int place = 0; place < rows.length; place++) {
            if (place != column) {
                double[] row = rows[place];
                double factor = row[column] / own[column];
                for (int i = 0; i < row.length; i++) {
                    row[i] -= factor * own[i];
                }
            }
        }
        return true;
    }
}
