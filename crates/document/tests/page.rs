//! The page as a whole. `.ci/pages` opens the same pages in a browser.

mod fixture;

use stopwise_document::{Block, Report, csv, html, svg};

fn report(name: &str) -> Report {
    fixture::reports().into_iter().find(|(other, _)| *other == name).expect("a fixture").1
}

/// The texts of all elements of a kind, as they stand in the source.
fn inside<'a>(page: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    page.split(open).skip(1).filter_map(|rest| rest.split_once(close)).map(|(inside, _)| inside).collect()
}

#[test]
fn the_same_report_gives_the_same_bytes() {
    for (name, report) in fixture::reports() {
        assert_eq!(html::page(&report), html::page(&report.clone()), "{name}");
    }
}

#[test]
fn pages_are_small_and_whole() {
    for (name, report) in fixture::reports() {
        let page = html::page(&report);
        // The odd one has more bars than any command makes.
        assert!(page.len() < 400_000 || name == "odd", "{name}: {}", page.len());
        assert!(page.starts_with("<!DOCTYPE html><html lang=\"en\">") && page.ends_with("</html>"), "{name}");
        // No address but the names of XML: nothing can be loaded.
        assert!(
            !page.contains("http://")
                || page.matches("http://").count() == page.matches("http://www.w3.org/2000/svg").count()
        );
        assert!(!page.contains("https://"), "{name}");
    }
}

#[test]
fn script_and_styles_are_small() {
    let script = include_str!("../src/html/page.js");
    let styles = include_str!("../src/html/page.css").len() + include_str!("../src/svg/chart.css").len();
    assert!(script.len() < 8 * 1024 && styles < 12 * 1024, "{} {styles}", script.len());
    assert!(!script.contains("</") && !script.contains("toLocale") && !script.contains("Intl"));
}

#[test]
fn texts_from_outside_are_only_texts() {
    let page = html::page(&report("hostile"));
    assert_eq!(page.matches("<script>").count(), 1, "our own");
    assert_eq!(page.matches("</script>").count(), 1);
    assert_eq!(page.matches("<b ").count(), 0);
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
    assert!(!page.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')));
    // No attribute can be left.
    for attribute in inside(&page, "aria-label=\"", "\"") {
        assert!(!attribute.contains('<'));
    }
}

#[test]
fn pictures_alone_are_xml_without_controls() {
    for (_, report) in fixture::reports() {
        for block in report.sections.iter().flat_map(|section| &section.blocks) {
            let Block::Chart(chart) = block else { continue };
            let picture = svg::picture(chart, 640, &report.head);
            assert!(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
            assert_eq!(picture.matches("<g").count(), picture.matches("</g>").count());
            assert!(!picture.contains("<script") && !picture.contains("var(--"));
            assert!(!picture.chars().any(|c| c.is_control() && c != '\n'));
        }
    }
}

#[test]
fn every_dataset_is_in_the_page() {
    let report = report("simulate");
    let page = html::page(&report);
    for dataset in &report.data {
        let text = String::from_utf8(csv::csv(dataset).unwrap()).unwrap();
        assert_eq!(inside(&page, &format!("<pre data-file=\"{}\">", dataset.file), "</pre>"), [text]);
    }
}

#[test]
fn what_was_found_stands_before_tables_and_pictures_before_both() {
    let page = html::page(&report("simulate"));
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
    let order = [
        "<h1>carbonite",
        "class=\"answer\"",
        "class=\"warnings\"",
        "The rules: wiki",
        "How scores are spread",
        "Scores and what makes them",
        "To repeat it",
        "The data",
        "What every number means",
    ];
    assert!(order.windows(2).all(|pair| place(pair[0]) < place(pair[1])));
}

#[test]
fn many_sections_have_a_table_of_contents() {
    assert!(html::page(&report("compare")).contains("<nav"));
    assert!(!html::page(&report("simulate")).contains("<nav"));
}

#[test]
fn every_chart_has_both_widths_and_words() {
    let report = report("charts");
    let page = html::page(&report);
    let plots: usize = report
        .sections
        .iter()
        .flat_map(|section| &section.blocks)
        .map(|block| if let Block::Chart(chart) = block { chart.plots.len() } else { 0 })
        .sum();
    assert_eq!(page.matches("class=\"chart narrow\"").count(), plots);
    assert_eq!(page.matches("class=\"chart wide\"").count(), plots);
    assert_eq!(page.matches("role=\"status\"").count(), plots);
    assert_eq!(page.matches("role=\"img\"").count(), plots);
}

#[test]
fn rules_say_their_value() {
    let page = html::page(&report("simulate"));
    assert!(page.contains(">mean: 348</text>") && page.contains(">5 %: 20</text>"));
}
