package io.lambdafs.functions.cache;

import static io.lambdafs.functions.cache.Nodes.dir;
import static io.lambdafs.functions.cache.Nodes.link;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The charge of items grows with their content; {@link EvictionTest} compares it with the heap. */
class FootprintTest {
    private static long ofDirectory(String name) {
        return Footprint.of(link("/" + name, dir(1, name, 2)));
    }

    @Test
    void shouldChargeTwoBytesForEachCharacterOfANameThatNeedsThem() {
        long latin = ofDirectory("e".repeat(96));
        assertThat(ofDirectory("é".repeat(96))).isEqualTo(latin);
        assertThat(ofDirectory("λ".repeat(96))).isEqualTo(latin + 96);
        assertThat(ofDirectory("e".repeat(95) + "λ")).isEqualTo(latin + 96);
        assertThat(ofDirectory("e".repeat(192))).isEqualTo(latin + 96);
    }

    @Test
    void shouldChargeAListingForItsBytesItsChildrenAndTheirTraits() {
        long least = Footprint.listing(800, 100, 8);
        assertThat(Footprint.listing(1_600, 100, 8)).isEqualTo(least + 800);
        assertThat(Footprint.listing(800, 200, 8)).isEqualTo(least + 400);
        assertThat(Footprint.listing(800, 100, 16)).isGreaterThan(least);
    }
}
