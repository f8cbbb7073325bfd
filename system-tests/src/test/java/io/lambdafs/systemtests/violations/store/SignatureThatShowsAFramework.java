package io.lambdafs.systemtests.violations.store;

import java.util.Optional;
import org.slf4j.Logger;

/** An interface names no type of a library, as a type argument neither. */
public interface SignatureThatShowsAFramework {
    /** Names one. */
    Optional<Logger> log();
}
