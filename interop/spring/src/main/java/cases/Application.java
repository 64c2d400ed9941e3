package cases;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** One jar, two services: the profile chooses which. */
@SpringBootApplication(scanBasePackages = "cases.none")
public class Application {
  public static void main(String[] args) {
    SpringApplication.run(Application.class, args);
  }

  @Configuration
  @Profile("plain")
  @ComponentScan("cases.plain")
  static class Plain {}

  @Configuration
  @Profile("conforming")
  @ComponentScan("cases.conforming")
  static class Conforming {}
}
