package io.lambdafs.hammer.cost;

/** An item that is billed for as long as it exists. */
enum Item {
    NAMENODE("namenode-vcpus", "namenode-vcpu-hour", 1),
    STORE("store-vcpus", "store-vcpu-hour", 1),
    COORDINATOR("coordinator-vcpus", "coordinator-vcpu-hour", 1),
    /** Managed PostgreSQL. */
    DATABASE("databases", "database-hour", 1),
    DISK("disk-gb", "disk-gb-month", Item.MONTHS_OF_AN_HOUR),
    /** Data in an object store. */
    OBJECTS("object-gb", "object-gb-month", Item.MONTHS_OF_AN_HOUR);

    /** Clouds bill 730 hours a month. */
    private static final double MONTHS_OF_AN_HOUR = 1.0 / 730;

    private final String amount;
    private final String price;
    private final double perHour;

    Item(String amount, String price, double perHour) {
        this.amount = amount;
        this.price = price;
        this.perHour = perHour;
    }

    /** Returns the key of its amount, in a shape. */
    String amount() {
        return amount;
    }

    /** Returns the key of its price, in a cloud. */
    String price() {
        return price;
    }

    /** Returns the cost, USD per hour. */
    double usd(double count, double each) {
        return count * each * perHour;
    }
}
