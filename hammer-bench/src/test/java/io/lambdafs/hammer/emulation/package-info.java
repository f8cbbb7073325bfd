@org.jspecify.annotations.NullMarked
package io.lambdafs.hammer.emulation;
