package dev.penstock.lab.probe.fit;

import org.jspecify.annotations.Nullable;

/** A solver of linear equations. */
final class LinearSystem {
    private static final double NEGLIGIBLE = 1e-12;

    private LinearSystem() {}

    /**
     * Solves the equations by Gaussian elimination with partial pivoting.
     *
     * @param rows one per unknown, each with its right-hand side last; overwritten
     * @return null when the equations are singular
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
            if (!eliminate(rows, column)) {
                return null;
            }
        }
        double[] x = new double[n];
        for (int i = 0; i < n; i++) {
            x[i] = rows[i][n] / rows[i][i];
        }
        return x;
    }

    /**
     * Eliminates the column from all other rows; false when its pivot is negligible compared with the rest of its row.
     */
    private static boolean eliminate(double[][] rows, int column) {
        double[] own = rows[column];
        double most = 0;
        for (double value : own) {
            most = Math.max(most, Math.abs(value));
        }
        if (Math.abs(own[column]) <= NEGLIGIBLE * most || most == 0) {
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
