/** Clusters of instance sessions for tests: in simulated time or over real services, with journals of what they do. */
@NullMarked
package io.lambdafs.coordinator.testkit;

import org.jspecify.annotations.NullMarked;
