package io.lambdafs.systemtests.chaos;

/** The end of PostgreSQL's primary, and the promotion of its standby. */
final class PromotionHit implements Hit {
    private final PostgresPair pair;

    PromotionHit(PostgresPair pair) {
        this.pair = pair;
    }

    @Override
    public void begin() {
        pair.killPrimary();
    }

    @Override
    public boolean end() throws Exception {
        pair.promote();
        return true;
    }

    @Override
    public boolean isForGood() {
        return true;
    }

    @Override
    public String toString() {
        return Fault.PROMOTE_STANDBY.toString();
    }
}
