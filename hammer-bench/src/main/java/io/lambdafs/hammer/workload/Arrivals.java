package io.lambdafs.hammer.workload;

import java.util.Locale;
import java.util.random.RandomGenerator;

/** The distribution of the distances between arrivals while the throughput is constant. */
public enum Arrivals {
    /** Exponentially distributed distances, as from many independent clients. */
    POISSON {
        @Override
        double draw(RandomGenerator random) {
            return -Math.log(1 - random.nextDouble());
        }
    },
    /** Distances between zero and twice the mean, uniformly distributed. */
    UNIFORM {
        @Override
        double draw(RandomGenerator random) {
            return 2 * random.nextDouble();
        }
    },
    /** Constant distances. */
    CONSTANT {
        @Override
        double draw(RandomGenerator random) {
            return 1;
        }
    };

    /** Draws a distance with a mean of 1. */
    abstract double draw(RandomGenerator random);

    /** Returns the name used in files and reports. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
