package io.lambdafs.hammer;

import java.util.Locale;
import java.util.random.RandomGenerator;

/** How far apart operations arrive while the throughput is the same. */
public enum Arrivals {
    /** Exponentially distributed distances, as of many independent clients. */
    POISSON {
        @Override
        double draw(RandomGenerator random) {
            return -Math.log(1 - random.nextDouble());
        }
    },
    /** Distances from nothing to twice the mean, all as likely. */
    UNIFORM {
        @Override
        double draw(RandomGenerator random) {
            return 2 * random.nextDouble();
        }
    },
    /** The same distance each time. */
    CONSTANT {
        @Override
        double draw(RandomGenerator random) {
            return 1;
        }
    };

    /** Draws a distance whose mean is 1. */
    abstract double draw(RandomGenerator random);

    /** The name in files and reports. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
