package io.lambdafs.hammer.cost;

/** What is billed as long as it is there. */
enum Item {
    NAMENODE("namenode-vcpus", "namenode-vcpu-hour", 1),
    STORE("store-vcpus", "store-vcpu-hour", 1),
    COORDINATOR("coordinator-vcpus", "coordinator-vcpu-hour", 1),
    /** PostgreSQL that somebody else runs. */
    DATABASE("databases", "database-hour", 1),
    DISK("disk-gb", "disk-gb-month", Item.MONTHS_OF_AN_HOUR),
    /** In an object store. */
    OBJECTS("object-gb", "object-gb-month", Item.MONTHS_OF_AN_HOUR);

    /** As clouds reckon, 730 hours a month. */
    private static final double MONTHS_OF_AN_HOUR = 1.0 / 730;

    private final String amount;
    private final String price;
    private final double perHour;

    Item(String amount, String price, double perHour) {
        this.amount = amount;
        this.price = price;
        this.perHour = perHour;
    }

    /** The key of its amount, in a shape. */
    String amount() {
        return amount;
    }

    /** The key of its price, in a cloud. */
    String price() {
        return price;
    }

    /** USD per hour. */
    double usd(double count, double each) {
        return count * each * perHour;
    }
}
